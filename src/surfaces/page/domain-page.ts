import type { Part } from './cards/card.ts'
import { dnsCard } from './cards/dns.ts'
import { lockedCard, type PaidPart, type Wallet } from './cards/locked.ts'
import { auctionCard, saleCard } from './cards/market.ts'
import { holderCard, registrationCard } from './cards/registration.ts'
import { type StatusOf, trademarkCard } from './cards/trademarks.ts'
import { type Html, markup } from './html.ts'
import { type About, closePage, openPage } from './shell.ts'
import type { CheckResult } from './tile.ts'
import { stateOfResult } from './tile.ts'

type DomainPage = {
  readonly about: About
  readonly domain: string
  /** The domain as it was typed, which may have letters that the DNS writes in another way. */
  readonly typed: string
  readonly pieces: AsyncIterable<unknown>
  readonly statusOf: StatusOf
  readonly isGeneric: boolean
  readonly wallet: Wallet
  readonly now: number
}

type Piece = {
  readonly part?: string
  readonly result?: CheckResult
  readonly sentence?: string
  readonly paid?: readonly PaidPart[]
} & Partial<Part>

/** Cards in their order; WHOIS gives two. Each is sent when those before it were, so that none moves. */
const CARDS = ['whois', 'dns', 'aftermarket', 'auctions', 'trademarks'] as const
type CardName = (typeof CARDS)[number]

const MAX_HEADWORD_CHARACTERS = 12

/** The page of a domain, in pieces. */
export async function* domainPage(page: DomainPage): AsyncIterable<Html> {
  const { about, domain, typed, pieces, statusOf, isGeneric, wallet, now } = page
  const again = `/d/${encodeURIComponent(domain)}`
  const label = domain.slice(0, domain.indexOf('.'))
  yield markup`${openPage({ about, description: `What is known of ${domain}.`, asked: typed })}<main id="main" class="stream">
<template shadowrootmode="open">
<link rel="stylesheet" href="${about.styleUrl}">
<section class="entry">
<h1 class="head${typed.length > MAX_HEADWORD_CHARACTERS ? ' long' : ''}"><bdi>${typed.slice(0, typed.indexOf('.'))}<span>${typed.slice(typed.indexOf('.'))}</span></bdi></h1>
<div class="gram"><slot name="state"><span class="s wait"><i class="o" aria-hidden="true"></i>asking</span></slot></div>
<div class="sum"><slot name="sum"><span class="q">Asking the registry, the DNS, the marketplaces and the register of trademarks…</span></slot></div>
<p class="row noprint"><a class="btn alt" href="/n/${encodeURIComponent(label)}">All of ${label}</a><a class="btn alt" href="/v1/names/${encodeURIComponent(domain)}">JSON</a></p>
</section>
<div class="cards"><slot></slot></div>
</template>
`
  const cards = new Map<CardName, Html>()
  let sentCards = 0
  let last: Piece = {}
  for await (const piece of pieces as AsyncIterable<Piece>) {
    if (piece.result?.domain === domain)
      yield markup`<span slot="state">${stateOfResult(piece.result)}</span>
`
    else if (piece.sentence !== undefined) last = piece
    else if (isCard(piece.part)) {
      cards.set(piece.part, renderCard(piece.part, piece as Part))
      for (let next = cards.get(CARDS[sentCards]!); next; next = cards.get(CARDS[++sentCards]!)) yield next
    }
  }
  const [quick, full, website] = last.paid ?? []
  yield markup`${quick && full ? lockedCard([quick, full], { number: 7, title: 'Valuation', wallet }) : null}${
    website ? lockedCard([website], { number: 8, title: 'Website', wallet }) : null
  }<p slot="sum">${last.sentence ?? ''}</p>
</main><title>${typed}: ${last.sentence ?? ''}</title>${closePage(about)}`

  function renderCard(name: CardName, part: Part): Html {
    switch (name) {
      case 'whois': {
        const options = { domain, again, now, isGeneric }
        return markup`${registrationCard(part, { ...options, number: 1 })}${holderCard(part, { ...options, number: 2 })}`
      }
      case 'dns':
        return dnsCard(part, { number: 3, domain, again })
      case 'aftermarket':
        return saleCard(part, { number: 4, domain, again })
      case 'auctions':
        return auctionCard(part, { number: 5, domain, again })
      case 'trademarks':
        return trademarkCard(part, { number: 6, label, again, statusOf })
    }
  }
}

const isCard = (part: string | undefined): part is CardName => (CARDS as readonly (string | undefined)[]).includes(part)
