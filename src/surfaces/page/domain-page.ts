import type { CheckResult } from './check-result.ts'
import type { Part } from './cards/card.ts'
import { dnsCard } from './cards/dns.ts'
import { lockedCard, type PaidPart, type Wallet } from './cards/locked.ts'
import { auctionCard, offerIn, saleCard } from './cards/market.ts'
import { registerCard } from './cards/register.ts'
import { holderCard, registrationCard, type Whois } from './cards/registration.ts'
import { type StatusOf, trademarkCard } from './cards/trademarks.ts'
import { type Html, markup } from './html.ts'
import { type About, closePage, isolatedName, openPage, ring, verdictOf } from './shell.ts'
import { mayBeSold, stateOfResult } from './tile.ts'

type DomainPage = {
  readonly about: About
  readonly domain: string
  /** The domain as it was typed, which may have letters that the DNS writes in another way. */
  readonly typed: string
  readonly pieces: AsyncIterable<unknown>
  readonly statusOf: StatusOf
  readonly isAffiliate: (slug: string) => boolean
  readonly isGeneric: boolean
  readonly wallet: Wallet
  /** Milliseconds since the epoch. */
  readonly now: number
}

type Piece = {
  readonly part?: string
  readonly result?: CheckResult
  readonly sentence?: string
  readonly paid?: readonly PaidPart[]
} & Partial<Part>

/** Cards in their order. Each is sent when those before it were, so that none moves. */
const CARDS = ['register', 'whois', 'dns', 'aftermarket', 'auctions', 'trademarks'] as const
type CardName = (typeof CARDS)[number]

const MAX_HEADWORD_CHARACTERS = 12

/** The page of a domain, in pieces. */
export async function* domainPage(page: DomainPage): AsyncIterable<Html> {
  const { about, domain, typed, pieces, statusOf, isAffiliate, isGeneric, wallet, now } = page
  const again = `/d/${encodeURIComponent(domain)}`
  const label = typed.slice(0, typed.indexOf('.'))
  yield markup`${openPage({ about, description: `What is known of ${domain}.`, asked: typed })}<main id="main" class="stream">
<template shadowrootmode="open">
<link rel="stylesheet" href="${about.styleUrl}">
<section class="entry">
<h1 class="head${typed.length > MAX_HEADWORD_CHARACTERS ? ' long' : ''}"><bdi>${label}<span>${typed.slice(typed.indexOf('.'))}</span></bdi></h1>
<div class="gram"><slot name="state"><span class="s wait"><i class="o" aria-hidden="true"></i>asking</span></slot>${typed === domain ? null : markup` <bdi>${domain}</bdi>`}</div>
<div class="sum"><slot name="sum"><span class="q">Asking the registry, the DNS, the marketplaces and the register of trademarks…</span></slot></div>
<p class="row noprint"><a class="btn alt" href="/n/${encodeURIComponent(label)}">All of <bdi>${label}</bdi></a><a class="btn alt" href="/v1/names/${encodeURIComponent(domain)}">JSON</a></p>
</section>
<div class="cards"><slot></slot></div>
</template>
`
  const parts = new Map<CardName, Part>()
  let result: CheckResult | undefined
  let sentCards = 0
  let number = 0
  let last: Piece = {}
  const state = (found: CheckResult) => markup`<span slot="state">${stateOfResult(found, again)}</span>
`
  for await (const piece of pieces as AsyncIterable<Piece>) {
    if (piece.result?.domain === domain) {
      ;({ result } = piece)
      yield state(piece.result)
    } else if (piece.sentence !== undefined) last = piece
    else if (isCard(piece.part)) {
      parts.set(piece.part, piece as Part)
      for (let part = nextPart(); part; part = nextPart()) {
        const cards = renderCards(CARDS[sentCards++]!, part)
        if (cards) yield cards
      }
    }
  }
  if (!result) yield state({ domain, tld: '', status: ['unknown'] })
  const [quick, full, website] = last.paid ?? []
  // There is no website at a domain that nobody holds.
  const hasWebsite = website && result?.status[0] !== 'available'
  const { sentence = '' } = last
  yield markup`${quick && full ? lockedCard([quick, full], { number: ++number, title: 'Valuation', wallet }) : null}${
    hasWebsite ? lockedCard([website], { number: ++number, title: 'Website', wallet }) : null
  }<p slot="sum">${sentence}</p>
</main><title>${isolatedName(typed)}: ${verdictOf(sentence).replace(`${domain} is `, '')}</title>${closePage(about)}`

  function offerState(part: Part): Html | null {
    const offer = mayBeSold(result) ? offerIn(part) : undefined
    if (!offer) return null
    return markup`<span slot="state" class="s sale">${ring}for sale${offer.price === null ? '' : ` from ${offer.price}`}</span>`
  }

  function nextPart(): Part | undefined {
    const name = CARDS[sentCards]
    return name && parts.get(name)
  }

  function renderCards(name: CardName, part: Part): Html | null {
    switch (name) {
      case 'register':
        // What is taken cannot be registered; why it is not known, the state says.
        return part.state === 'known' ? registerCard(part.data, { number: ++number, domain, isAffiliate }) : null
      case 'whois': {
        const options = { domain, again, now, isGeneric }
        const registration = registrationCard(part, { ...options, number: ++number })
        const hasHolder = part.state === 'known' && !(part.data as Whois).available
        return hasHolder ? markup`${registration}${holderCard(part, { ...options, number: ++number })}` : registration
      }
      case 'dns':
        return dnsCard(part, { number: ++number, domain, again })
      case 'aftermarket':
        return markup`${offerState(part)}${saleCard(part, { number: ++number, domain, result, again })}`
      case 'auctions':
        return auctionCard(part, { number: ++number, domain, again })
      case 'trademarks':
        return trademarkCard(part, { number: ++number, label, again, statusOf })
    }
  }
}

const isCard = (part: string | undefined): part is CardName => (CARDS as readonly (string | undefined)[]).includes(part)
