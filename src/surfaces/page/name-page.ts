import type { CheckResult } from './check-result.ts'
import { auctionCard, offerIn, saleCard } from './cards/market.ts'
import { ensCard } from './cards/ens.ts'
import { presenceCard } from './cards/presence.ts'
import { type StatusOf, trademarkCard } from './cards/trademarks.ts'
import type { Part } from './cards/card.ts'
import { type Html, constant, markup } from './html.ts'
import { heldTiles } from './held-tiles.ts'
import { type Prices, priceNote } from './prices.ts'
import { type About, closePage, isolatedName, openPage, verdictOf } from './shell.ts'
import { mayBeSold, type Offer, saleTile, slotOf, tile, waitingTile } from './tile.ts'
import { addressOfView, needsAllAnswers, orderTlds, type TileView, viewLinks } from './tile-view.ts'

/** A category of TLDs, for the chips. */
export type TldSet = { readonly name: string; readonly label: string; readonly tlds: readonly string[] }

type NamePage = {
  readonly about: About
  readonly label: string
  /** The label as it was typed, which may have letters that the DNS writes in another way. */
  readonly typed: string
  readonly view: TileView
  readonly sets: readonly TldSet[]
  /** The dossier as it arrives. */
  readonly pieces: AsyncIterable<unknown>
  readonly statusOf: StatusOf
  readonly prices: Prices
}

type Piece = { readonly part?: string; readonly result?: CheckResult; readonly sentence?: string } & Partial<Part>

/** Cards in their order on the page. Each is sent when those before it were, so that none moves. */
const CARDS = ['aftermarket', 'auctions', 'ens', 'presence', 'trademarks'] as const
type CardName = (typeof CARDS)[number]

const MAX_HEADWORD_CHARACTERS = 12

/**
 * The page of a name, in pieces. All tiles are in the first one, as the fallback of slots in a shadow root; each answer
 * that follows is put into its slot by the browser, without a script, and nothing moves.
 */
export async function* namePage(page: NamePage): AsyncIterable<Html> {
  const { about, label, typed, view, sets, pieces, statusOf, prices } = page
  const path = `/n/${encodeURIComponent(label)}`
  const again = addressOfView(path, view, sets[0]!.name)
  const tlds = sets.find(({ name }) => name === view.set)!.tlds
  yield markup`${openPage({ about, description: `What is known of the name ${isolatedName(typed)}.`, asked: typed })}${firstByte({ label, typed, path, view, sets, tlds, about, prices })}`

  const offeredTld = tlds.includes('com') ? 'com' : tlds[0]!
  const isHeld = needsAllAnswers(view)
  const results = new Map<string, CheckResult>()
  const parts = new Map<string, Part>()
  let offer: Offer | undefined
  let sentCards = 0
  let areTilesSent = !isHeld
  let sentence = ''
  const tileOf = (result: CheckResult) => {
    const isOffered = result.tld === offeredTld
    return tile(result, { label, again, prices, offer: isOffered ? offer : undefined, mayBeOffered: isOffered })
  }
  const tiles = () => heldTiles({ label, again, tlds, view, results, offer, prices })
  for await (const piece of pieces as AsyncIterable<Piece>) {
    if (piece.result) {
      results.set(piece.result.tld, piece.result)
      if (!isHeld) yield tileOf(piece.result)
      continue
    }
    if (piece.sentence !== undefined) ({ sentence } = piece)
    if (piece.part !== undefined) parts.set(piece.part, piece as Part)
    if (piece.part === 'aftermarket') {
      const found = offerIn(piece as Part)
      offer = found && { tld: offeredTld, price: found.price }
      if (offer && !isHeld && mayBeSold(results.get(offer.tld))) yield saleTile(label, offer)
    }
    if (!areTilesSent && parts.has('availability') && parts.has('aftermarket')) {
      areTilesSent = true
      yield tiles()
    }
    // Tiles stand above the cards: a card that was there first would move.
    if (!areTilesSent) continue
    while (sentCards < CARDS.length) {
      const name = CARDS[sentCards]!
      const part = parts.get(name)
      const isOfferedKnown = results.has(offeredTld) || parts.has('availability')
      if (!part || (name === 'aftermarket' && !isOfferedKnown)) break
      sentCards++
      yield renderCard(name, part, { label, typed, offeredTld, offered: results.get(offeredTld), again, statusOf })
    }
  }
  if (!areTilesSent) yield tiles()
  // A domain that cannot exist under its TLD has no result.
  for (const tld of isHeld ? [] : tlds.filter((one) => !results.has(one)))
    yield tileOf({ domain: `${label}.${tld}`, tld, status: ['unknown'] })
  yield markup`<p slot="sum">${sentence}</p>
</main><title>${isolatedName(typed)}: ${verdictOf(sentence)}</title>${closePage(about)}`
}

type CardOptions = {
  readonly label: string
  readonly typed: string
  readonly offeredTld: string
  /** What the registry says of the domain that offers are looked for. */
  readonly offered: CheckResult | undefined
  readonly again: string
  readonly statusOf: StatusOf
}

function renderCard(name: CardName, part: Part, options: CardOptions): Html {
  const { label, typed, offeredTld, offered, again, statusOf } = options
  const number = CARDS.indexOf(name) + 1
  switch (name) {
    case 'aftermarket':
      return saleCard(part, { number, domain: `${label}.${offeredTld}`, result: offered, again })
    case 'auctions':
      return auctionCard(part, { number, domain: label, again })
    case 'ens':
      return ensCard(part, { number, label: typed, again })
    case 'presence':
      return presenceCard(part, { number, label: typed, again })
    case 'trademarks':
      return trademarkCard(part, { number, label: typed, again, statusOf })
  }
}

type FirstByte = {
  readonly about: About
  readonly label: string
  readonly typed: string
  readonly path: string
  readonly view: TileView
  readonly sets: readonly TldSet[]
  readonly tlds: readonly string[]
  readonly prices: Prices
}

/** Everything that is there before the first answer. What follows are children of `main`, each for a slot. */
function firstByte({ about, label, typed, path, view, sets, tlds, prices }: FirstByte): Html {
  const defaultSet = sets[0]!.name
  const chips = sets.map(({ name, label: words, tlds: members }) => {
    const href = addressOfView(path, { ...view, set: name }, defaultSet)
    const current = name === view.set ? constant(' aria-current="true"') : null
    const value = name === defaultSet ? '' : name
    return markup`<a href="${href}" data-param="set" data-value="${value}"${current}>${words} <small>${members.length}</small></a> `
  })
  return markup`<main id="main" class="stream">
<template shadowrootmode="open">
<link rel="stylesheet" href="${about.styleUrl}">
<section class="entry">
<h1 class="head${typed.length > MAX_HEADWORD_CHARACTERS ? ' long' : ''}"><bdi>${typed}</bdi></h1>
<div class="sum"><slot name="sum"><span class="q">Asking about ${tlds.length} domains, ENS, trademarks and offers…</span></slot></div>
</section>
<nav class="chips sets" aria-label="TLD categories">${chips}</nav>
${viewLinks(path, view, defaultSet)}
${
  needsAllAnswers(view)
    ? constant('<slot name="tiles"></slot>')
    : markup`<ul class="tiles">${slotsOf(label, tlds, view)}</ul><p class="none" hidden></p>${priceNote(prices)}`
}
<div class="cards"><slot></slot></div>
</template>
`
}

const slotsOf = (label: string, tlds: readonly string[], view: TileView): Html[] =>
  orderTlds(tlds, view).map(
    (
      tld,
    ) => markup`<slot name="${slotOf(tld)}" data-at="${tlds.indexOf(tld)}" data-tld="${tld}">${waitingTile(label, tld)}</slot>
`,
  )
