import type { Random } from '../src/kernel/random.ts'
import { type ScriptedAnswer, serveHttp, type SimulatedRequest } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer, textAnswer } from './play-http.ts'
import type { Simulator, SimulatorContext } from './simulator.ts'

/** Auctions or listings per feed. */
const FEED_SIZES = { namecheap: 2000, dynadot: 300, sedo: 300, 'namecheap-buynow': 200, 'sedo-listings': 100 }
const HOUR_SECONDS = 3600
/** Real pages have up to 1,000 auctions; with fewer there are several. */
const PAGE_SIZE = 100

/**
 * Three auction houses in the formats of real ones: the CSV of Namecheap, the pages of Dynadot's API (which needs a key,
 * and reports errors with status 200), and the list of Sedo; and lists of domains for sale without an end, of Namecheap and
 * Sedo. A word before the path scripts the outcome of a feed: `/throttled/Namecheap_Market_Sales.csv`, `/half/api3.json`.
 */
export const auctions: Simulator = {
  name: 'auctions',
  about: 'three auction houses with 2,600 invented auctions, and 300 listings, found a few seconds after the start',
  async start({ chance, clock, wait }) {
    const now = Math.floor(clock.now() / 1000)
    const feeds: Feeds = {
      'Namecheap_Market_Sales.csv': fileFeed(textAnswer(namecheapCsv(chance, now))),
      'api3.json': dynadotFeed(dynadotAuctions(chance, now)),
      'auctions_us.txt': fileFeed({
        status: 200,
        type: 'text/plain',
        body: Buffer.from(sedoList(chance, now), 'latin1'),
      }),
      'Namecheap_Market_Sales_Buy_Now.csv': fileFeed(textAnswer(namecheapBuyNowCsv(chance, now))),
      'topdomains_us.txt': fileFeed({
        status: 200,
        type: 'text/plain',
        body: Buffer.from(sedoListings(chance, now), 'latin1'),
      }),
    }
    const [listed] = lots(chance, 'namecheap-buynow', now)
    const server = await serveHttp((request) => respond(request, feeds), { wait })
    return {
      settings: {
        ONOMA_AUCTIONS_SOURCE_A_URL: `${server.url}/Namecheap_Market_Sales.csv`,
        ONOMA_AUCTIONS_SOURCE_A_PRESET: 'namecheap',
        ONOMA_AUCTIONS_SOURCE_B_URL: `${server.url}/api3.json?key=${KEY}&count_per_page=${PAGE_SIZE}`,
        ONOMA_AUCTIONS_SOURCE_B_PRESET: 'dynadot',
        ONOMA_AUCTIONS_SOURCE_C_URL: `${server.url}/auctions_us.txt`,
        ONOMA_AUCTIONS_SOURCE_C_PRESET: 'sedo',
        ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL: `${server.url}/Namecheap_Market_Sales_Buy_Now.csv`,
        ONOMA_AUCTIONS_SEDO_LISTINGS_URL: `${server.url}/topdomains_us.txt`,
      },
      addresses: { feeds: server.url },
      tryThese: ({ url }) => [
        {
          url: `${server.url}/Namecheap_Market_Sales.csv`,
          status: 200,
          shows: 'the feed of the first auction house',
        },
        {
          url: `${url}/v1/auctions?ending_within=2h`,
          status: 400,
          shows: 'an invalid parameter: the error lists the allowed values',
        },
        {
          url: `${url}/v1/aftermarket/${listed!.name}?sources=listings`,
          status: 200,
          shows: 'a domain at a fixed price, from a list that the service has loaded',
        },
      ],
      stop: server.stop,
    }
  },
}

const KEY = 'sandbox-key'

type Feed = (request: SimulatedRequest) => HttpAnswer
type Feeds = Readonly<Record<string, Feed>>

function fileFeed(answer: HttpAnswer): Feed {
  // The feed never changes while it is served, so its length is enough of an ETag.
  const etag = `"${answer.body.length}"`
  return ({ headers }) =>
    headers['if-none-match'] === etag ? { ...textAnswer('', 304), headers: { etag } } : { ...answer, headers: { etag } }
}

function respond(request: SimulatedRequest, feeds: Feeds): ScriptedAnswer {
  const match = /^(?:\/([\w-]+))?\/([\w.]+)$/.exec(request.url.pathname)
  const feed = match && Object.hasOwn(feeds, match[2]!) ? feeds[match[2]!]! : null
  if (!feed)
    return { outcome: OK, answer: textAnswer(`Not found. The feeds are ${Object.keys(feeds).join(', ')}.\n`, 404) }
  return { outcome: outcomeOf(match![1] ?? ''), answer: feed(request) }
}

const dynadotError = (message: string): HttpAnswer => jsonAnswer({ Response: { ResponseCode: '-1', Error: message } })

const dynadotFeed =
  (all: readonly unknown[]): Feed =>
  ({ url: { searchParams: query } }) => {
    if (query.get('key') !== KEY) return dynadotError('invalid key')
    if (query.get('command') !== 'get_open_auctions') return dynadotError('invalid command')
    const size = Number(query.get('count_per_page') ?? 20)
    const page = Number(query.get('page_index') ?? 1)
    return jsonAnswer({ status: 'success', auction_list: all.slice((page - 1) * size, page * size) })
  }

const WORDS =
  'river cloud amber quiet north lumen cedar pixel harbor maple orbit velvet summit copper meadow lantern'.split(' ')
const TLDS = ['com', 'com', 'com', 'net', 'org', 'io', 'shop', 'app', 'de']

type Chance = SimulatorContext['chance']
type Lot = { name: string; start: number; end: number; price: number; bids: number; random: Random }

/** One auction that started before now and ends after it; fixed per seed, feed and number. */
function createLot(chance: Chance, feed: string, number: number, now: number): Lot {
  const random = chance(`${feed} ${number}`)
  const word = () => WORDS[random.below(WORDS.length)]!
  const joiner = random.fraction() < 0.2 ? '-' : ''
  return {
    name: `${word()}${joiner}${word()}${number}.${TLDS[random.below(TLDS.length)]!}`,
    start: now - random.below(20 * 24) * HOUR_SECONDS,
    end: now + (1 + random.below(14 * 24)) * HOUR_SECONDS,
    price: 1 + Math.floor(Math.expm1(random.fraction() ** 2 * 8)),
    bids: random.fraction() < 0.2 ? 1 + random.below(30) : 0,
    random,
  }
}

const lots = (chance: Chance, feed: keyof typeof FEED_SIZES, now: number): Lot[] =>
  Array.from({ length: FEED_SIZES[feed] }, (_, number) => createLot(chance, feed, number, now))

const formatTime = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

const NAMECHEAP_COLUMNS =
  'url,name,startDate,endDate,price,startPrice,renewPrice,bidCount,ahrefsDomainRating,umbrellaRanking,cloudflareRanking,estibotValue,extensionsTaken,keywordSearchCount,registeredDate,lastSoldPrice,lastSoldYear,isPartnerSale,semrushAScore,majesticCitation,ahrefsBacklinks,semrushBacklinks,majesticBacklinks,majesticTrustFlow,goValue'

function namecheapCsv(chance: Chance, now: number): string {
  const lines = lots(chance, 'namecheap', now).map(({ name, start, end, price, bids, random }, number) => {
    const rating = random.below(90)
    const trust = random.below(40)
    const values: Readonly<Record<string, string | number>> = {
      url: `https://market.example/market/sale/${number}/`,
      name,
      startDate: formatTime(start),
      endDate: formatTime(end),
      price: price.toFixed(2),
      startPrice: '1.00',
      renewPrice: '13.98',
      bidCount: bids,
      ahrefsDomainRating: rating,
      estibotValue: `${rating * 60}.00`,
      extensionsTaken: random.below(300),
      keywordSearchCount: random.below(50_000),
      registeredDate: formatTime(now - random.below(20 * 365) * 24 * HOUR_SECONDS),
      isPartnerSale: number % 2,
      majesticCitation: trust + random.below(20),
      ahrefsBacklinks: rating * 12,
      majesticTrustFlow: trust,
      goValue: `${rating * 90 + 100}.00`,
    }
    return NAMECHEAP_COLUMNS.split(',')
      .map((column) => values[column] ?? '')
      .join(',')
  })
  return `${NAMECHEAP_COLUMNS}\n${lines.join('\n')}\n`
}

const dynadotAuctions = (chance: Chance, now: number) =>
  lots(chance, 'dynadot', now).map(({ name, end, price, bids, random }, number) => ({
    auction_id: 1_000_000 + number,
    domain: name,
    auction_type: 'expired',
    currency: 'USD',
    current_bid_price: price.toFixed(2),
    bids,
    bidders: Math.ceil(bids / 2),
    end_time_stamp: end * 1000,
    visitors: random.below(50),
    links: random.below(400),
    age: random.below(20),
    dyna_appraisal: `$${(random.below(90) * 10 + 50).toFixed(2)}`,
    renewal_price: number % 10 === 0 ? '--' : '10.99',
  }))

const SEDO_CURRENCIES = ['$US', 'EUR', '&#163;']

const sedoList = (chance: Chance, now: number): string =>
  lots(chance, 'sedo', now)
    .map(({ name, start, end, price, bids }, number) =>
      [name, start, end, price, SEDO_CURRENCIES[number % 3], bids, ''].join(';'),
    )
    .join('\n')

const BUY_NOW_COLUMNS = 'permalink,domain,price,extensions_taken'

const namecheapBuyNowCsv = (chance: Chance, now: number): string => {
  const lines = lots(chance, 'namecheap-buynow', now).map(({ name, price, random }) =>
    [`https://market.example/market/buynow/${name}/`, name, `${price + 99}.00`, random.below(300)].join(','),
  )
  return `${BUY_NOW_COLUMNS}\n${lines.join('\n')}\n`
}

/** Every fourth seller waits for offers. Thousands have a dot. */
const sedoListings = (chance: Chance, now: number): string =>
  lots(chance, 'sedo-listings', now)
    .map(({ name, price }, number) => {
      const amount = (price * 10 + 1000).toLocaleString('de-DE')
      return `${name}~${number % 4 === 0 ? 'Make offer' : `${amount} ${SEDO_CURRENCIES[number % 3]}`}~`
    })
    .join('\n')
