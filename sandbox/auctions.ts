import type { Random } from '../src/kernel/random.ts'
import { type ScriptedAnswer, serveHttp, type SimulatedRequest } from './http-server.ts'
import { OK, outcomeOf } from './outcome.ts'
import { type HttpAnswer, jsonAnswer, textAnswer } from './play-http.ts'
import type { Simulator, SimulatorContext } from './simulator.ts'

/** Auctions per feed. */
const FEED_SIZES = { csv: 2000, json: 300, text: 300 }
const HOUR_SECONDS = 3600

/**
 * Three auction houses, each with a feed in the format of a preset: `/market.csv`, `/auctions.json` (needs a key) and
 * `/auctions.txt`. A word before the path scripts the outcome of a feed: `/throttled/market.csv`, `/half/auctions.json`.
 */
export const auctions: Simulator = {
  name: 'auctions',
  about: 'three auction houses with 2,600 invented auctions, searchable a few seconds after the start',
  async start({ chance, clock, wait }) {
    const now = Math.floor(clock.now() / 1000)
    const feeds: Readonly<Record<string, Feed>> = {
      'market.csv': createFeed(textAnswer(marketCsv(chance, now))),
      'auctions.json': { ...createFeed(jsonAnswer(auctionList(chance, now))), key: KEY },
      'auctions.txt': createFeed(textAnswer(auctionText(chance, now))),
    }
    const server = await serveHttp((request) => respond(request, feeds), { wait })
    return {
      settings: {
        ONOMA_AUCTIONS_SOURCE_A_URL: `${server.url}/market.csv`,
        ONOMA_AUCTIONS_SOURCE_A_PRESET: 'namecheap-market',
        ONOMA_AUCTIONS_SOURCE_B_URL: `${server.url}/auctions.json`,
        ONOMA_AUCTIONS_SOURCE_B_PRESET: 'dynadot',
        ONOMA_AUCTIONS_SOURCE_B_HEADER: `Authorization: Bearer ${KEY}`,
        ONOMA_AUCTIONS_SOURCE_C_URL: `${server.url}/auctions.txt`,
        ONOMA_AUCTIONS_SOURCE_C_PRESET: 'sedo',
      },
      addresses: { feeds: server.url },
      tryThese: ({ url }) => [
        { url: `${server.url}/market.csv`, status: 200, shows: 'the feed of the first auction house' },
        {
          url: `${url}/v1/auctions?ending_within=2h`,
          status: 400,
          shows: 'an invalid parameter: the error lists the allowed values',
        },
      ],
      stop: server.stop,
    }
  },
}

const KEY = 'sandbox-key'

type Feed = { readonly answer: HttpAnswer; readonly etag: string; readonly key?: string }

const createFeed = (answer: HttpAnswer): Feed => {
  // The feed never changes while it is served, so its length is enough of an ETag.
  const etag = `"${answer.body.length}"`
  return { answer: { ...answer, headers: { etag } }, etag }
}

function respond({ url, headers }: SimulatedRequest, feeds: Readonly<Record<string, Feed>>): ScriptedAnswer {
  const match = /^(?:\/([\w-]+))?\/([\w.]+)$/.exec(url.pathname)
  const feed = match && Object.hasOwn(feeds, match[2]!) ? feeds[match[2]!]! : null
  if (!feed)
    return { outcome: OK, answer: textAnswer(`Not found. The feeds are ${Object.keys(feeds).join(', ')}.\n`, 404) }
  const outcome = outcomeOf(match![1] ?? '')
  if (outcome.kind === 'ok' && feed.key !== undefined && headers.authorization !== `Bearer ${feed.key}`) {
    return { outcome, answer: textAnswer('The Authorization header is missing or wrong.\n', 401) }
  }
  if (outcome.kind === 'ok' && headers['if-none-match'] === feed.etag) {
    return { outcome, answer: { ...textAnswer('', 304), headers: { etag: feed.etag } } }
  }
  return { outcome, answer: feed.answer }
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

function marketCsv(chance: Chance, now: number): string {
  const columns = 'url,name,startDate,endDate,price,startPrice,renewPrice,bidCount,ahrefsDomainRating,estibotValue'
  const more =
    'extensionsTaken,keywordSearchCount,registeredDate,majesticCitation,majesticTrustFlow,ahrefsBacklinks,goValue'
  const lines = lots(chance, 'csv', now).map(({ name, start, end, price, bids, random }, number) => {
    const rating = random.below(90)
    const trust = random.below(40)
    return [
      `https://market.example/sale/${number}/`,
      name,
      formatTime(start),
      formatTime(end),
      price.toFixed(2),
      '1.00',
      '13.98',
      bids,
      rating,
      `${rating * 60}.00`,
      random.below(300),
      random.below(50_000),
      formatTime(now - random.below(20 * 365) * 24 * HOUR_SECONDS),
      trust + random.below(20),
      trust,
      rating * 12,
      `${rating * 90 + 100}.00`,
    ].join(',')
  })
  return `${columns},${more}\n${lines.join('\n')}\n`
}

const auctionList = (chance: Chance, now: number) => ({
  status: 'success',
  auction_list: lots(chance, 'json', now).map(({ name, end, price, bids, random }, number) => ({
    auction_id: 1_000_000 + number,
    domain: name,
    bid_price: price.toFixed(2),
    bid_price_currency: 'USD',
    bids,
    end_time_stamp: end * 1000,
    visitors: random.below(50),
    links: random.below(400),
    age: random.below(20),
  })),
})

const auctionText = (chance: Chance, now: number): string =>
  lots(chance, 'text', now)
    .map(({ name, start, end, price }, number) => `${name};${start};${end};${price};${number % 2 ? 'EUR' : 'US$'};;`)
    .join('\n')
