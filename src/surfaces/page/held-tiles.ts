import type { CheckResult } from './check-result.ts'
import { constant, type Html, markup } from './html.ts'
import { type Prices, priceNote } from './prices.ts'
import { mayBeSold, type Offer, stateNameOf, tile } from './tile.ts'
import { stateNames, type TileView, wordOfState } from './tile-view.ts'

type Held = {
  readonly label: string
  readonly again: string
  readonly tlds: readonly string[]
  readonly view: TileView
  readonly results: ReadonlyMap<string, CheckResult>
  readonly offer: Offer | undefined
  readonly prices: Prices
}

/**
 * All tiles at once, in the order and with the filter of the address. Tiles that do not match are there, but hidden: a
 * script can show them without a request.
 */
export function heldTiles({ label, again, tlds, view, results, offer, prices }: Held): Html {
  const entries = tlds.map((tld, at) => {
    const result = results.get(tld) ?? { domain: `${label}.${tld}`, tld, status: ['unknown'] }
    const own = offer?.tld === tld && mayBeSold(result) ? offer : undefined
    const state = own ? 'sale' : stateNameOf(result)
    return { tld, at, result, own, state, isHidden: view.state !== '' && state !== view.state }
  })
  const rank = ({ state }: { readonly state: string }) => (stateNames as readonly string[]).indexOf(state)
  if (view.sort === 'state') entries.sort((a, b) => rank(a) - rank(b) || a.at - b.at)
  if (view.sort === 'length') entries.sort((a, b) => a.tld.length - b.tld.length || a.at - b.at)
  const tiles = entries.map(({ at, result, own, isHidden }) =>
    tile(result, { label, again, prices, offer: own, place: { at, isHidden } }),
  )
  const isEmpty = entries.every(({ isHidden }) => isHidden)
  return markup`<ul class="tiles" slot="tiles">${tiles}</ul>
<p class="none" slot="tiles"${isEmpty ? null : constant(' hidden')}>None of these domains is ${view.state === '' ? 'known' : wordOfState(view.state)}.</p>
${priceNote(prices, 'tiles')}
`
}
