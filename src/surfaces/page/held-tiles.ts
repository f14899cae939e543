import { constant, type Html, markup } from './html.ts'
import { type CheckResult, saleTile, stateNameOf, tile } from './tile.ts'
import { stateNames, type TileView, wordOfState } from './tile-view.ts'

/** A domain of the page that is for sale. */
export type Offer = { readonly tld: string; readonly price: string | null }

type Held = {
  readonly label: string
  readonly again: string
  readonly tlds: readonly string[]
  readonly view: TileView
  readonly results: ReadonlyMap<string, CheckResult>
  readonly offer: Offer | undefined
  readonly priceOf: (tld: string) => number | undefined
}

/**
 * All tiles at once, in the order and with the filter of the address. Tiles that do not match are there, but hidden: a
 * script can show them without a request.
 */
export function heldTiles({ label, again, tlds, view, results, offer, priceOf }: Held): Html {
  const entries = tlds.map((tld, at) => {
    const result = results.get(tld) ?? { domain: `${label}.${tld}`, tld, status: ['unknown'] }
    const state = offer?.tld === tld ? 'sale' : stateNameOf(result)
    return { tld, at, result, state, isHidden: view.state !== '' && state !== view.state }
  })
  const rank = ({ state }: { readonly state: string }) => (stateNames as readonly string[]).indexOf(state)
  if (view.sort === 'state') entries.sort((a, b) => rank(a) - rank(b) || a.at - b.at)
  if (view.sort === 'length') entries.sort((a, b) => a.tld.length - b.tld.length || a.at - b.at)
  const tiles = entries.map(({ tld, at, result, state, isHidden }) => {
    const place = { at, isHidden }
    if (state === 'sale') return saleTile(label, tld, offer!.price, place)
    return tile(result, { label, again, price: priceOf(tld), mayBeOffered: false, place })
  })
  const isEmpty = entries.every(({ isHidden }) => isHidden)
  return markup`<ul class="tiles" slot="tiles">${tiles}</ul>
<p class="none" slot="tiles"${isEmpty ? null : constant(' hidden')}>None of these domains is ${view.state === '' ? 'known' : wordOfState(view.state)}.</p>
`
}
