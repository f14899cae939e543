import { auctionCard, saleCard } from './cards/market.ts'
import { ensCard } from './cards/ens.ts'
import { presenceCard } from './cards/presence.ts'
import { type StatusOf, trademarkCard } from './cards/trademarks.ts'
import { money, type Part } from './cards/card.ts'
import { type Html, constant, markup } from './html.ts'
import { heldTiles, type Offer } from './held-tiles.ts'
import { type About, closePage, openPage } from './shell.ts'
import { type CheckResult, saleTile, slotOf, tile, waitingTile } from './tile.ts'
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
  readonly priceOf: (tld: string) => number | undefined
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
  const { about, label, typed, view, sets, pieces, statusOf, priceOf } = page
  const path = `/n/${encodeURIComponent(label)}`
  const again = addressOfView(path, view, sets[0]!.name)
  const tlds = sets.find(({ name }) => name === view.set)!.tlds
  yield markup`${openPage({ about, description: `What is known of the name ${typed}.`, asked: typed })}${firstByte({ label, typed, path, view, sets, tlds, about })}`

  const offeredTld = tlds.includes('com') ? 'com' : tlds[0]!
  const isHeld = needsAllAnswers(view)
  const results = new Map<string, CheckResult>()
  const arrived = new Set<string>()
  const cards = new Map<CardName, Html>()
  let offer: Offer | undefined
  let sentCards = 0
  let areTilesSent = !isHeld
  let sentence = ''
  const tiles = () => heldTiles({ label, again, tlds, view, results, offer, priceOf })
  for await (const piece of pieces as AsyncIterable<Piece>) {
    if (piece.result) {
      const { tld } = piece.result
      results.set(tld, piece.result)
      if (!isHeld) yield tile(piece.result, { label, again, price: priceOf(tld), mayBeOffered: tld === offeredTld })
      continue
    }
    if (piece.sentence !== undefined) ({ sentence } = piece)
    if (piece.part !== undefined) arrived.add(piece.part)
    if (piece.part === 'aftermarket') {
      offer = offerOf(label, tlds, piece)
      if (offer && !isHeld) yield saleTile(label, offer.tld, offer.price)
    }
    if (isCard(piece.part))
      cards.set(piece.part, renderCard(piece.part, piece as Part, { label, offeredTld, again, statusOf }))
    if (!areTilesSent && arrived.has('availability') && arrived.has('aftermarket')) {
      areTilesSent = true
      yield tiles()
    }
    // Tiles stand above the cards: a card that was there first would move.
    if (areTilesSent)
      for (let next = cards.get(CARDS[sentCards]!); next; next = cards.get(CARDS[++sentCards]!)) yield next
  }
  if (!areTilesSent) yield tiles()
  // A domain that cannot exist under its TLD has no result.
  for (const tld of isHeld ? [] : tlds.filter((one) => !results.has(one)))
    yield tile({ domain: `${label}.${tld}`, tld, status: ['unknown'] }, { label, again, mayBeOffered: false })
  yield markup`<p slot="sum">${sentence}</p>
</main><title>${typed}: ${sentence}</title>${closePage(about)}`
}

/** The offer for one of the domains that are shown. */
function offerOf(
  label: string,
  tlds: readonly string[],
  { state, data }: Piece & { readonly data?: unknown },
): Offer | undefined {
  if (state !== 'known') return undefined
  const { domain, listed, summary } = data as Offers
  const tld = domain.slice(label.length + 1)
  if (!listed || !tlds.includes(tld)) return undefined
  const { lowestPrice: lowest } = summary
  return { tld, price: lowest ? money(lowest.amount, lowest.currency) : null }
}

type Offers = {
  readonly domain: string
  readonly listed: boolean
  readonly summary: { readonly lowestPrice?: { readonly amount: number; readonly currency: string } }
}

const isCard = (part: string | undefined): part is CardName => (CARDS as readonly (string | undefined)[]).includes(part)

type CardOptions = {
  readonly label: string
  readonly offeredTld: string
  readonly again: string
  readonly statusOf: StatusOf
}

function renderCard(name: CardName, part: Part, { label, offeredTld, again, statusOf }: CardOptions): Html {
  const number = CARDS.indexOf(name) + 1
  switch (name) {
    case 'aftermarket':
      return saleCard(part, { number, domain: `${label}.${offeredTld}`, again })
    case 'auctions':
      return auctionCard(part, { number, domain: label, again })
    case 'ens':
      return ensCard(part, { number, label, again })
    case 'presence':
      return presenceCard(part, { number, label, again })
    case 'trademarks':
      return trademarkCard(part, { number, label, again, statusOf })
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
}

/** Everything that is there before the first answer. What follows are children of `main`, each for a slot. */
function firstByte({ about, label, typed, path, view, sets, tlds }: FirstByte): Html {
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
    : markup`<ul class="tiles">${slotsOf(label, tlds, view)}</ul><p class="none" hidden></p>`
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
