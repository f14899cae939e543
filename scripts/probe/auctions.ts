import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../src/app/settings/config.ts'
import type { Delivery } from '../../src/auctions/auction-house.ts'
import { createRefusals, requiredColumns } from '../../src/auctions/refusals.ts'
import { feedHouse } from '../../src/auctions/sources/feed/feed.ts'
import { type FeedChoice, loadFeeds } from '../../src/auctions/sources/feed/load-feeds.ts'
import { KEYLESS_PRESETS } from '../../src/auctions/sources/feed/presets.ts'
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
  const choices = config.auctions.length > 0 ? config.auctions : KEYLESS_PRESETS.map(keylessChoice)
  return loadFeeds(choices).map((settings, at) => ({
    group: 'Auctions',
    provider: choices[at]!.preset ?? settings.source,
    host: new URL(settings.location).host,
    async run(recorder, signal) {
      const staging = join(config.dataDir, `probe-${at}`)
      mkdirSync(staging, { recursive: true })
      const download = beginningOf(
        recorder.upstream(upstream),
        settings.map.format === 'csv' && !isZip(settings.location),
      )
      const wait = async () => {}
      const house = feedHouse({ settings, download, staging, holder: 'probe', clock, wait })
      const delivery = await house.deliver('', signal)
      if (!delivery) throw new UnexpectedShape('It has no feed.')
      try {
        return await readBeginning(delivery, recorder)
      } finally {
        delivery.dispose()
      }
    },
  }))
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

async function readBeginning(delivery: Delivery, recorder: Recorder): Promise<string> {
  const refusals = createRefusals([])
  const count = { rows: 0, refused: 0 }
  for await (const offers of delivery.offers()) {
    for (const offer of offers) {
      const row = offer.read()
      count.rows++
      if (!('refused' in row)) continue
      count.refused++
      refusals.add(row)
    }
    // The first batch of a feed, or its first page, says enough.
    break
  }
  const missing = requiredColumns(count.rows === 0 ? [] : delivery.missingColumns())
  if (missing !== null) throw new UnexpectedShape(`The feed has no ${missing}.`)
  if (count.rows === 0) throw new UnexpectedShape('The feed has no auctions.')
  if (count.refused > count.rows * MAX_REFUSED_SHARE) {
    throw new UnexpectedShape(
      `${count.refused} of ${count.rows} records are not valid auctions, mostly because ${refusals.main()}.`,
    )
  }
  recorder.record('records', `${count.rows} read`, '')
  return `${count.rows - count.refused} of the first ${count.rows} records are auctions`
}
