import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainPage } from './domain-page.ts'
import { namePage } from './name-page.ts'
import type { Prices } from './prices.ts'

type Piece = Readonly<Record<string, unknown>>

const about = { version: '1', styleUrl: '/style', scriptUrl: '/script', tlds: 3 }
const TLDS = ['com', 'net', 'org']
const PRICES: Prices = {
  asOf: '2026-11-15',
  usual: (suffix) => (suffix === 'org' ? undefined : { registration: 10.5, renewal: 12 }),
  premium: (domain) => (domain === 'gold.com' ? { registration: 1250, renewal: 49.5 } : undefined),
}
const STATUSES = { 700: 'live', 600: 'dead' } as Readonly<Record<string, string>>
const statusOf = (code: string) => ({ description: 'registered', life: STATUSES[code] ?? 'indifferent' })

async function* stream(pieces: readonly Piece[]): AsyncIterable<Piece> {
  yield* pieces
}

async function showName(pieces: readonly Piece[], { label = 'acme', query = '' } = {}): Promise<string[]> {
  const view = { set: 'top', state: new URLSearchParams(query).get('state') ?? '', sort: '' } as never
  const sets = [{ name: 'top', label: 'Top', tlds: TLDS }]
  const page = namePage({ about, label, typed: label, view, sets, pieces: stream(pieces), statusOf, prices: PRICES })
  return Array.fromAsync(page, ({ text }) => text)
}

async function showDomain(pieces: readonly Piece[], domain = 'acme.com'): Promise<string> {
  const page = domainPage({
    about,
    domain,
    typed: domain,
    pieces: stream(pieces),
    statusOf,
    isAffiliate: (slug) => slug === 'registrar_a',
    isGeneric: !domain.endsWith('.de'),
    wallet: null,
    now: Date.UTC(2026, 10, 16),
  })
  return (await Array.fromAsync(page, ({ text }) => text)).join('')
}

const result = (tld: string, status: string, more: Piece = {}, label = 'acme'): Piece => ({
  part: 'availability',
  result: { domain: `${label}.${tld}`, tld, status: [status], ...more },
})
const known = (part: string, data: unknown): Piece => ({ part, state: 'known', data })
const offers = (domain = 'acme.com'): Piece =>
  known('aftermarket', {
    domain,
    listed: true,
    listings: [
      {
        platform: 'Sedo',
        saleType: 'buyNow',
        price: { amount: 2400, currency: 'USD' },
        url: 'https://a.example',
        affiliateUrl: 'https://a.example',
      },
    ],
    errors: [
      { source: 'source_b', code: 'timeout', message: 'No answer in time.' },
      { source: 'source_c', code: 'not_configured', message: 'Not set up.' },
    ],
    summary: { lowestPrice: { amount: 2400, currency: 'USD' } },
    meta: { affiliateDisclosure: '' },
  })

/** The words of the tile that is shown for a TLD: of two in one slot, the offer. */
function tileOf(page: readonly string[], tld: string): string {
  const tiles = [...page.join('').matchAll(/<li slot="t-(\w+)" class="tile ([\w ]+)">(.*?)<\/li>/gs)]
  const own = tiles.filter(([, slot]) => slot === tld)
  const [, , look = '', inner = ''] = own.find(([, , state]) => state?.includes('sale')) ?? own[0] ?? []
  return `${look.split(' ')[0]}: ${textOf(inner)}`
}
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
const cardOf = (page: string, title: RegExp): string =>
  [...page.matchAll(/<section class="card.*?<\/section>/gs)]
    .map(([card]) => card)
    .find((card) => title.test(textOf(card))) ?? ''

test('each state of a tile has its shape, its word and, if it is free, its price', async () => {
  const page = await showName([result('com', 'available'), result('net', 'registered'), result('org', 'reserved')])
  assert.equal(tileOf(page, 'com'), 'free: acme .com free $10.50 renews at $12.00')
  assert.equal(tileOf(page, 'net'), 'taken: acme .net taken')
  assert.equal(tileOf(page, 'org'), 'reserved: acme .org reserved by the registry')
  for (const [error, reason] of [
    ['timeout', 'No reply in time.'],
    ['rate_limited', 'The registry asks us to wait.'],
    ['upstream_error', 'The registry does not answer.'],
    [undefined, 'No source could tell.'],
  ] as const) {
    const unknown = await showName([result('com', 'unknown', { error })])
    assert.equal(tileOf(unknown, 'com'), `unknown: acme .com unknown ${reason} Ask again`)
    assert.match(unknown.join(''), /<a href="\/n\/acme">Ask again<\/a>/)
  }
  assert.equal(tileOf(await showName([result('org', 'available')]), 'org'), 'free: acme .org free')
})

test('a premium name has its own price, or none: that of the TLD does not hold for it', async () => {
  const gold = await showName([result('com', 'available', { premium: true }, 'gold')], { label: 'gold' })
  assert.equal(tileOf(gold, 'com'), 'free: gold .com free $1,250 premium, renews at $49.50')
  const other = await showName([result('net', 'available', { premium: true })])
  assert.equal(tileOf(other, 'net'), 'free: acme .net free at a premium price')
})

test('an offer shows on a domain that somebody holds, whichever answer is first, and on no other', async () => {
  const sold = 'sale: acme .com for sale $2,400 taken, and offered'
  const taken = result('com', 'registered')
  for (const pieces of [
    [taken, offers()],
    [offers(), taken],
  ]) {
    assert.equal(tileOf(await showName(pieces), 'com'), sold)
    assert.match((await showName(pieces, { query: 'state=sale' })).join(''), /data-tld="com" class="tile sale/)
  }
  for (const status of ['available', 'reserved', 'unknown']) {
    for (const pieces of [
      [result('com', status), offers()],
      [offers(), result('com', status)],
    ]) {
      assert.doesNotMatch(tileOf(await showName(pieces), 'com'), /sale|2,400/)
      assert.doesNotMatch((await showName(pieces, { query: 'state=sale' })).join(''), /class="tile sale/)
    }
  }
  const page = (await showName([result('com', 'available'), offers()])).join('')
  assert.match(
    textOf(cardOf(page, /For sale/)),
    /The registry says that acme.com is free: these offers are out of date/,
  )
})

test('a marketplace that failed is unknown in the card; one that is not set up is left out', async () => {
  const card = textOf(cardOf((await showName([result('com', 'registered'), offers()])).join(''), /For sale/))
  assert.match(card, /source_b unknown No answer in time. Ask again/)
  assert.doesNotMatch(card, /source_c|Not set up/)
})

test('all tiles and the day of the prices are in the first piece, and the title is the verdict', async () => {
  const [first = '', ...rest] = await showName([result('com', 'available'), { sentence: '1 of 3 free. .com is free.' }])
  assert.equal(first.match(/<slot name="t-/g)?.length, 3)
  assert.match(first, /in US dollars, as of 15 Nov 2026/)
  assert.doesNotMatch(first, /<title>/)
  assert.match(rest.join(''), /<title>acme: 1 of 3 free<\/title>/)
  // Where tiles come later, what stands below them comes with them: nothing moves.
  const [held = '', ...later] = await showName([result('com', 'available')], { query: 'state=free' })
  assert.doesNotMatch(held, /in US dollars/)
  assert.match(later.join(''), /<p class="note under" slot="tiles">/)
})

test('each card is there if its part is known, nothing, unknown or off', async () => {
  const parts = ['aftermarket', 'auctions', 'ens', 'presence', 'trademarks']
  const states = [
    [{ state: 'unknown', message: 'No answer in time.', retryAfterSeconds: 5 }, /unknown No answer in time. Ask again/],
    [{ state: 'off', message: 'The operator sets ONOMA_X.' }, /off The operator sets ONOMA_X./],
    [{ state: 'nothing' }, /No marketplace|No auction|cannot have|Nothing was found|No mark/],
  ] as const
  for (const [part, words] of states) {
    const page = (
      await showName([{ part: 'availability', state: 'known' }, ...parts.map((name) => ({ part: name, ...part }))])
    ).join('')
    const cards = [...page.matchAll(/<section class="card.*?<\/section>/gs)].map(([card]) => textOf(card))
    assert.equal(cards.length, 5)
    for (const card of cards) assert.match(card, words)
  }
})

test('ENS: free, at a premium with its curve, taken, in grace, invalid', async () => {
  const show = async (piece: Piece) =>
    cardOf(
      (
        await showName([
          { part: 'availability', state: 'known' },
          { part: 'aftermarket', state: 'nothing' },
          { part: 'auctions', state: 'nothing' },
          piece,
        ])
      ).join(''),
      /acme\.eth/,
    )
  const price = { eth: '0.002', usdEstimate: 5 }
  const free = await show(known('ens', { name: 'acme.eth', available: true, registrationPrice: price }))
  assert.match(textOf(free), /free \$5.00 for a year \(0.0020 ETH\)/)
  assert.doesNotMatch(free, /<svg/)
  const premium = {
    premium_usd: 1109,
    starts_at: '2026-11-13T00:00:00Z',
    ends_at: '2026-12-04T00:00:00Z',
    curve: [
      { at: '2026-11-16T00:00:00Z', premium_usd: 1109 },
      { at: '2026-12-04T00:00:00Z', premium_usd: 0 },
    ],
  }
  const data = { name: 'acme.eth', available: true, registrationPrice: price, premiumPrice: { eth: '0.4' }, premium }
  const dear = await show(known('ens', data))
  assert.match(textOf(dear), /free, at a premium \$1,114 today: \$1,109 premium and \$5.00 for a year \(0.4020 ETH\)/)
  assert.match(dear, /<svg class="chart"[^>]*aria-label="Premium of acme.eth: \$1,109 now, none from 4 Dec 2026."/)
  const expiry = {
    expires_at: '2026-10-17T00:00:00Z',
    grace_period_ends: '2027-01-15T00:00:00Z',
    in_grace_period: true,
  }
  const held = { name: 'acme.eth', available: false, owner: '0xabc' }
  const grace = textOf(await show(known('ens', { ...held, expiry })))
  assert.match(grace, /taken, in grace It expired on 17 Oct 2026 . Its holder can renew it until 15 Jan 2027/)
  const taken = textOf(await show(known('ens', { ...held, expiry: { ...expiry, in_grace_period: false } })))
  assert.match(taken, /taken Registered until 17 Oct 2026 . Holder 0xabc/)
  const invalid = textOf(await show({ part: 'ens', state: 'nothing', message: 'name: is too short.' }))
  assert.match(invalid, /invalid ENS cannot have this name: it is too short\./)
})

test('marks have their life in words, named classes and the reason', async () => {
  const mark = (code: string, classes: string[]) => ({
    serial_number: '1',
    mark_text: '<script>',
    status_code: code,
    filing_date: '0001-01-01T00:00:00Z',
    owner_name: '<b>',
    class_numbers: classes,
    match_score: 1,
    match_details: { reasons: ['same mark'] },
  })
  const data = {
    results: [mark('700', ['009', '042']), mark('600', ['A']), mark('999', [])],
    total: 3,
    took_ms: 1,
    index_info: { total_documents: 3, last_updated: '2026-11-15T00:00:00Z' },
    disclaimer: '',
  }
  const page = await showDomain([
    known('trademarks', data),
    ...['register', 'whois', 'dns', 'aftermarket', 'auctions'].map((part) => ({ part, state: 'nothing' })),
  ])
  const card = cardOf(page, /Trademarks/)
  assert.match(textOf(card), /1 live , 1 dead of 3 that match/)
  assert.match(textOf(card), /live registered Class 9 Software and electronics, 42 Technical and IT services/)
  assert.match(textOf(card), /† dead registered Class A .*unclear registered/)
  assert.match(textOf(card), /Same mark\./)
  assert.doesNotMatch(card, /<script>|<b><|filed|NaN/)
})

test('a free domain says where to register it; a taken one does not', async () => {
  const links = known('register', [
    {
      domain: 'acme.com',
      registrars: [
        {
          name: 'One',
          slug: 'registrar_a',
          url: 'https://one.example',
          registrationPrice: 9.5,
          renewalPrice: 12,
          priceAsOf: '2026-11-15',
        },
        { name: 'Two', slug: 'registrar_b', url: 'https://two.example' },
      ],
    },
  ])
  const whois = known('whois', {
    domain: 'acme.com',
    available: true,
    source: 'rdap',
    queriedAt: '2026-11-16T00:00:00Z',
  })
  const paid = ['quick', 'full', 'intel'].map((what) => ({ what, usd: '1', path: '/', command: 'npx' }))
  const free = await showDomain([result('com', 'available'), links, whois, { sentence: 'acme.com is free.', paid }])
  assert.match(
    textOf(cardOf(free, /Register /)),
    /free Registrar First year Renewal One affiliate link \$9.50 \$12.00 Two at the registrar/,
  )
  assert.match(free, /<a href="https:\/\/one\.example" rel="noreferrer nofollow sponsored">/)
  assert.match(textOf(cardOf(free, /Registration/)), /The registry has no record of acme.com/)
  assert.doesNotMatch(free, /Registrar and holder|Website/)
  assert.match(free, /<title>acme.com: free<\/title>/)

  const taken = await showDomain([
    result('com', 'registered'),
    { part: 'register', state: 'nothing' },
    { sentence: 'acme.com is taken.', paid },
  ])
  assert.doesNotMatch(taken, /Registrar<\/th>/)
  assert.match(taken, /Website/)
})

test('the timeline has every date that is known, and what follows under a generic TLD', async () => {
  const show = async (dates: Piece | undefined, domain = 'acme.com', more: Piece = {}) => {
    const data = { domain, available: false, source: 'rdap', queriedAt: '2026-11-16T00:00:00Z', dates, ...more }
    return showDomain([{ part: 'register', state: 'nothing' }, known('whois', data)], domain)
  }
  const dates = { created: '1998-03-14T00:00:00Z', updated: '2026-02-09T00:00:00Z', expires: '2027-03-14T00:00:00Z' }
  const label = (page: string) => /<svg viewBox="0 0 1200[^>]*aria-label="([^"]*)"/.exec(page)?.[1]
  const page = await show(dates)
  assert.equal(
    label(page),
    'acme.com: created 14 Mar 1998, updated 9 Feb 2026, today 16 Nov 2026, expires 14 Mar 2027, grace ends 28 Apr 2027, redemption ends 28 May 2027, free again 2 Jun 2027',
  )
  for (const words of ['118 days left', '>grace<', '>redemption<', '>deletion<', 'up to 45 days to renew'])
    assert.ok(page.includes(words), words)
  assert.match(label(await show({ expires: '2026-11-01T00:00:00Z' })) ?? '', /^acme.com: expired 1 Nov 2026, today/)
  const country = await show(dates, 'acme.de')
  assert.match(label(country) ?? '', /expires 14 Mar 2027$/)
  assert.match(country, /a rule of the registry of this TLD/)
  assert.match(await show(undefined), /The registry publishes no dates/)
  const redacted = await show(dates, 'acme.com', {
    registrant: { country: 'NL' },
    evidence: [{ source: 'rdap', server: 's', question: 'q', outcome: '200', at: 't', ms: 1 }],
  })
  assert.match(textOf(redacted), /Holder Redacted: the registry publishes no name Country: NL/)
  assert.match(redacted, /<details><summary>Evidence/)
})

test('the state of a domain: for sale beside taken; unknown with its reason, also if nothing came', async () => {
  const states = (page: string) => [...page.matchAll(/<span slot="state".*/g)].map(([state]) => textOf(state))
  const nothing = ['register', 'whois', 'dns'].map((part) => ({ part, state: 'nothing' }))
  assert.deepEqual(states(await showDomain([result('com', 'registered'), ...nothing, offers()])), [
    'taken',
    'for sale from $2,400',
  ])
  assert.deepEqual(states(await showDomain([result('com', 'available'), ...nothing, offers()])), ['free'])
  assert.deepEqual(states(await showDomain([result('com', 'reserved')])), ['reserved by the registry'])
  assert.deepEqual(states(await showDomain([result('com', 'unknown', { error: 'timeout' })])), [
    'unknown No reply in time. Ask again',
  ])
  assert.deepEqual(states(await showDomain([])), ['unknown No source could tell. Ask again'])
})
