/** Auctions of one feed: synced into the file, and searched through the service's own index. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listAuctions } from '../../src/auctions/contract.ts'
import { createAuctions } from '../../src/auctions/service.ts'
import { presetMap } from '../../src/auctions/sources/feed/presets.ts'
import { openListingIndex } from '../../src/auctions/sources/sqlite-index.ts'
import { createSyncer } from '../../src/auctions/sources/syncer.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { parseInput } from '../../src/kernel/input.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import type { Part } from './part.ts'

const SOURCE = 'source_a'
const feedIn = (folder: string): string => join(folder, 'feed.csv')

export const part: Part = {
  prepare(size, folder) {
    mkdirSync(folder, { recursive: true })
    const version = { path: feedIn(folder), rows: size, seed: 1, now: Math.floor(systemClock.now() / 1000) }
    // In a process of its own: its memory is not that of the index.
    execFileSync(process.execPath, [join(import.meta.dirname, '..', 'auctions.ts'), '--write', JSON.stringify(version)])
  },
  async build(_size, folder) {
    const path = join(folder, 'auctions.sqlite')
    const sync = createSyncer({ path, userAgent: 'onoma-bench', sandbox: true, random: secureRandom })
    const map = presetMap('namecheap')
    const settings = { source: SOURCE, location: feedIn(folder), map, header: null, intervalMs: 1 } as const
    const report = await sync(settings, { signal: new AbortController().signal })
    if (report.outcome !== 'complete') throw new Error(`The sync ended as ${report.outcome}: ${report.problem}`)
    const index = openListingIndex(path)
    const auctions = createAuctions({ index, sources: [SOURCE], clock: systemClock })
    const list = (input: object) => auctions.list(parseInput(listAuctions, input as never))
    await list({})
    return {
      operations: {
        'part of a name': () => list({ q: 'cloud' }),
        'filter and sort': () => list({ tld: 'com', min_price: 50, sort: 'price_asc' }),
      },
      rounds: 20,
      diskBytes: statSync(path).size,
      close: () => index.close(),
    }
  },
}
