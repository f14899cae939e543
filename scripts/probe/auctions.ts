import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../src/app/settings/config.ts'
import { SALE_FEED_IDS } from '../../src/auctions/auction.ts'
import type { AuctionHouse, Delivery, Refusal } from '../../src/auctions/auction-house.ts'
import { createRefusals, requiredColumns } from '../../src/auctions/refusals.ts'
import { feedHouse, saleHouse } from '../../src/auctions/sources/feed/feed.ts'
import { type FeedChoice, loadFeeds } from '../../src/auctions/sources/feed/load-feeds.ts'
import { KEYLESS_PRESETS } from '../../src/auctions/sources/feed/presets.ts'
import { loadSaleFeeds } from '../../src/auctions/sources/feed/sale-presets.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Download } from '../../src/kernel/upstream/download.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import { type Probe, UnexpectedShape } from './probe.ts'
import type { Recorder } from './recorder.ts'

type Needs = {
  readonly config: Config
  readonly upstream: Pick<Upstream, 'request'>
  readonly clock: Clock
}

/** Of a feed that can be cut: enough for a few hundred auctions, of the nearly 200 MB of the largest. */
const BEGINNING_BYTES = 256 * 1024
/** Of a feed that is compressed, or whose server sends no part of it. */
const MAX_BYTES = 64 * 1024 ** 2
/** A feed in which more records are refused has another format. */
const MAX_REFUSED_SHARE = 0.1

/** The beginning of every feed that needs no account; in the sandbox, of those that it configures. */
export const auctionProbes = ({ config, upstream, clock }: Needs): Probe[] => {
  const isConfigured = config.auctions.length + config.saleFeeds.length > 0
  const choices = isConfigured ? config.auctions : KEYLESS_PRESETS.map(keylessChoice)
  const sales = isConfigured ? config.saleFeeds : SALE_FEED_IDS.map((feed) => ({ feed, url: null }))
  type Feed = Pick<Parameters<typeof feedHouse>[0], 'download' | 'staging' | 'holder' | 'clock' | 'wait'>
  const probe = (
    { provider, location, isCsv }: { provider: string; location: string; isCsv: boolean },
    open: (feed: Feed) => AuctionHouse<object>,
  ): Probe => ({
    group: 'Auctions',
    provider,
    host: new URL(location).host,
    async run(recorder, signal) {
      const staging = join(config.dataDir, `probe-${provider}`)
      mkdirSync(staging, { recursive: true })
      const download = beginningOf(recorder.upstream(upstream), isCsv && !isZip(location))
      return readBeginning(open({ download, staging, holder: 'probe', clock, wait: async () => {} }), recorder, signal)
    },
  })
  return [
    ...loadFeeds(choices).map((settings, at) => {
      const provider = choices[at]!.preset ?? settings.source
      const { location, map } = settings
      return probe({ provider, location, isCsv: map.format === 'csv' }, (feed) => feedHouse({ ...feed, settings }))
    }),
    ...loadSaleFeeds(sales).map((settings) => {
      const { source: provider, location, map } = settings
      return probe({ provider, location, isCsv: map.format === 'csv' }, (feed) => saleHouse({ ...feed, settings }))
    }),
  ]
}

const keylessChoice = (preset: (typeof KEYLESS_PRESETS)[number]): FeedChoice => ({
  source: 'source_a',
  url: null,
  preset,
  format: null,
  columns: null,
  currency: null,
  timeZone: null,
  intervalMinutes: null,
  header: null,
})

const isRefusal = (row: object): row is Refusal => 'refused' in row

const isZip = (location: string): boolean => new URL(location).pathname.endsWith('.zip')

/** Asks for the beginning of a feed only, if it can be cut after any line. */
const beginningOf =
  (upstream: Pick<Upstream, 'request'>, canBeCut: boolean): Download =>
  async ({ url, path, headers, signal }) => {
    const range = canBeCut ? { range: `bytes=0-${BEGINNING_BYTES - 1}` } : {}
    const request = { url, headers: { ...headers, ...range }, accept: [200, 206], maxBytes: MAX_BYTES, signal }
    const { status, body } = await upstream.request(request)
    const isCut = status === 206 && body.length >= BEGINNING_BYTES
    await writeFile(path, isCut ? body.subarray(0, body.lastIndexOf(0x0a) + 1) : body)
    return { validator: '', bytes: body.length }
  }

async function readBeginning(house: AuctionHouse<object>, recorder: Recorder, signal: AbortSignal): Promise<string> {
  const delivery = await house.deliver('', signal)
  if (!delivery) throw new UnexpectedShape('It has no feed.')
  try {
    return await judge(delivery, house.contents, recorder)
  } finally {
    delivery.dispose()
  }
}

async function judge(
  delivery: Delivery<object>,
  contents: AuctionHouse['contents'],
  recorder: Recorder,
): Promise<string> {
  const refusals = createRefusals([])
  const count = { rows: 0, refused: 0 }
  for await (const offers of delivery.offers()) {
    for (const offer of offers) {
      const row = offer.read()
      count.rows++
      if (!isRefusal(row)) continue
      count.refused++
      refusals.add(row)
    }
    // The first batch of a feed, or its first page, says enough.
    break
  }
  const missing = requiredColumns(count.rows === 0 ? [] : delivery.missingColumns())
  if (missing !== null) throw new UnexpectedShape(`The feed has no ${missing}.`)
  if (count.rows === 0) throw new UnexpectedShape(`The feed has no ${contents}.`)
  if (count.refused > count.rows * MAX_REFUSED_SHARE) {
    throw new UnexpectedShape(
      `${count.refused} of ${count.rows} records are not valid ${contents}, mostly because ${refusals.main()}.`,
    )
  }
  recorder.record('records', `${count.rows} read`, '')
  return `${count.rows - count.refused} of the first ${count.rows} records are ${contents}`
}
