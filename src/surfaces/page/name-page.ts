import { auctionCard, saleCard } from './cards/market.ts'
import { ensCard } from './cards/ens.ts'
import { presenceCard } from './cards/presence.ts'
import { type StatusOf, trademarkCard } from './cards/trademarks.ts'
import { money, type Part } from './cards/card.ts'
import { constant, type Html, markup } from './html.ts'
import { type About, closePage, openPage } from './shell.ts'
import { type CheckResult, saleTile, slotOf, tile, waitingTile } from './tile.ts'

/** A category of TLDs, for the chips. */
export type TldSet = { readonly name: string; readonly label: string; readonly tlds: readonly string[] }

type NamePage = {
  readonly about: About
  readonly label: string
  /** As in the address. */
  readonly set: string
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
  const { about, label, set, sets, pieces, statusOf, priceOf } = page
  const path = `/n/${encodeURIComponent(label)}`
  const again = set === sets[0]!.name ? path : `${path}?set=${set}`
  const tlds = sets.find(({ name }) => name === set)!.tlds
  yield markup`${openPage({ about, description: `What is known of the name ${label}.`, asked: label })}${firstByte({ label, path, set, sets, tlds, about })}`

  const offeredTld = tlds.includes('com') ? 'com' : tlds[0]!
  const cards = new Map<CardName, Html>()
  let sentCards = 0
  let sentence = ''
  for await (const piece of pieces as AsyncIterable<Piece>) {
    if (piece.result) {
      const { tld } = piece.result
      yield tile(piece.result, { label, again, price: priceOf(tld), mayBeOffered: tld === offeredTld })
    } else if (piece.sentence !== undefined) ({ sentence } = piece)
    else if (isCard(piece.part)) {
      if (piece.part === 'aftermarket') yield* offerOf(label, tlds, piece)
      cards.set(piece.part, renderCard(piece.part, piece as Part, { label, offeredTld, again, statusOf }))
      for (let next = cards.get(CARDS[sentCards]!); next; next = cards.get(CARDS[++sentCards]!)) yield next
    }
  }
  yield markup`<p slot="sum">${sentence}</p>
</main><title>${label}: ${sentence}</title>${closePage(about)}`
}

/** The tile of the domain that is for sale, if it is one of those shown. */
function* offerOf(
  label: string,
  tlds: readonly string[],
  { state, data }: Piece & { readonly data?: unknown },
): Iterable<Html> {
  if (state !== 'known') return
  const { domain, listed, summary } = data as Offers
  const tld = domain.slice(label.length + 1)
  if (!listed || !tlds.includes(tld)) return
  const { lowestPrice: lowest } = summary
  yield saleTile(label, tld, lowest ? money(lowest.amount, lowest.currency) : null)
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
  readonly path: string
  readonly set: string
  readonly sets: readonly TldSet[]
  readonly tlds: readonly string[]
}

/** Everything that is there before the first answer. What follows are children of `main`, each for a slot. */
const firstByte = ({ about, label, path, set, sets, tlds }: FirstByte): Html => markup`<main id="main" class="stream">
<template shadowrootmode="open">
<link rel="stylesheet" href="${about.styleUrl}">
<section class="entry">
<h1 class="head${label.length > MAX_HEADWORD_CHARACTERS ? ' long' : ''}"><bdi>${label}</bdi></h1>
<div class="sum"><slot name="sum"><span class="q">Asking about ${tlds.length} domains, ENS, trademarks and offers…</span></slot></div>
</section>
<nav class="chips" aria-label="TLD categories">${sets.map(
  ({ name, label: words, tlds: members }, at) =>
    markup`<a href="${at === 0 ? path : `${path}?set=${name}`}"${name === set ? constant(' aria-current="true"') : null}>${words} <small>${members.length}</small></a> `,
)}</nav>
<ul class="tiles">${tlds.map(
  (tld) => markup`<slot name="${slotOf(tld)}">${waitingTile(label, tld)}</slot>
`,
)}</ul>
<div class="cards"><slot></slot></div>
</template>
`
