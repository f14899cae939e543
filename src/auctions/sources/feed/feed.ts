import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { AuctionHouse, Delivery } from '../../auction-house.ts'
import type { Download } from '../../../kernel/upstream/download.ts'
import type { FeedSettings } from './feed-settings.ts'
import { readFeed } from './read-feed.ts'
import { type NameScore, rowParser } from './row.ts'

type Needs = {
  readonly settings: FeedSettings
  readonly download: Download
  /** Folder for downloads while they are read. */
  readonly staging: string
  /** Unique to this process, so that its files differ from those of others. */
  readonly holder: string
  readonly clock: Clock
  readonly nameScore?: NameScore | undefined
  readonly limits?: Partial<FeedLimits>
}

export type FeedLimits = {
  /** Of the download. */
  readonly downloadBytes: number
  /** After decompression. */
  readonly feedBytes: number
  readonly timeoutMs: number
}

const LIMITS: FeedLimits = {
  downloadBytes: 1024 ** 3,
  feedBytes: 4 * 1024 ** 3,
  timeoutMs: 15 * 60_000,
}
const STALE_DOWNLOAD_MS = 86_400_000

/** Increment it when rows are parsed differently, so that an unchanged file is read again. */
const PARSER_VERSION = 1

/** A feed at a URL or in a file, parsed as its map says. */
export function feedHouse({ settings, download, staging, holder, clock, nameScore, limits }: Needs): AuctionHouse {
  const { source, location, map } = settings
  const { downloadBytes, feedBytes, timeoutMs } = { ...LIMITS, ...limits }
  const parserHash = hash('sha1', JSON.stringify([PARSER_VERSION, map]), 'hex')
  const seed = parseInt(parserHash.slice(0, 8), 16)
  /** Prefix of stored validators: they are only valid for the same location and parser. */
  const prefix = hash('sha1', `${parserHash} ${location}`, 'hex').slice(0, 12)

  const createDelivery = (path: string, validator: string, dispose: () => void): Delivery => ({
    validator: validator === '' ? '' : `${prefix} ${validator}`,
    offers() {
      const toRow = rowParser({ source, map, now: Math.floor(clock.now() / 1000), nameScore })
      return readFeed(path, { map, toRow, seed, maxBytes: feedBytes })
    },
    dispose,
  })

  function fromFile(known: string): Delivery | null {
    const state = statSync(location, { throwIfNoEntry: false })
    if (!state?.isFile()) throw new UpstreamError('unavailable', `The feed file of ${source} does not exist.`)
    const validator = `${state.mtimeMs} ${state.size} ${state.ino}`
    return validator === known ? null : createDelivery(location, validator, () => {})
  }

  async function fromUrl(known: string, signal: AbortSignal): Promise<Delivery | null> {
    if (!existsSync(staging)) mkdirSync(staging)
    removeStaleDownloads(staging, clock.now() - STALE_DOWNLOAD_MS)
    const path = join(staging, `${source}-${holder}.part`)
    const dispose = () => rmSync(path, { force: true })
    try {
      const { header } = settings
      const fresh = await download({
        url: location,
        path,
        headers: header ? { [header.name]: header.value } : {},
        validator: known,
        maxBytes: downloadBytes,
        timeoutMs,
        signal,
      })
      if (!fresh) dispose()
      return fresh && createDelivery(path, fresh.validator, dispose)
    } catch (error) {
      dispose()
      throw error
    }
  }

  return {
    id: source,
    async deliver(validator, signal) {
      const known = validator.startsWith(`${prefix} `) ? validator.slice(prefix.length + 1) : ''
      return isUrl(location) ? fromUrl(known, signal) : fromFile(known)
    },
  }
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/** Removes downloads of processes that were killed. */
function removeStaleDownloads(staging: string, before: number): void {
  for (const name of readdirSync(staging)) {
    const path = join(staging, name)
    if (!name.endsWith('.part')) continue
    const state = statSync(path, { throwIfNoEntry: false })
    if (state && state.mtimeMs < before) rmSync(path, { force: true })
  }
}
