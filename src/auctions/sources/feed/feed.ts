import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Auction, FeedId } from '../../auction.ts'
import { type AuctionHouse, type Delivery, FeedError, type Row } from '../../auction-house.ts'
import type { SaleListing } from '../../sale-listing.ts'
import type { Download } from '../../../kernel/upstream/download.ts'
import type { Pages } from './feed-map.ts'
import type { FeedSettings, SaleFeedSettings } from './feed-settings.ts'
import { watchColumns } from './column-watch.ts'
import { jsonRecordReader, readFeed } from './read-feed.ts'
import { findList, readPageFile, readPages } from './read-pages.ts'
import { type NameScore, rowParser, type Values } from './row.ts'
import { saleParser } from './sale-row.ts'

type Needs<Settings> = {
  readonly settings: Settings
  readonly download: Download
  /** Folder for downloads while they are read. */
  readonly staging: string
  /** Unique to this process, so that its files differ from those of others. */
  readonly holder: string
  readonly clock: Clock
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
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
/** One page, which is parsed at once. */
const MAX_PAGE_BYTES = 16 * 1024 ** 2
const PAGE_TIMEOUT_MS = 60_000
const STALE_DOWNLOAD_MS = 86_400_000

/** Increment it when rows are parsed differently, so that an unchanged file is read again. */
const PARSER_VERSION = 2

/** A feed of auctions at a URL or in a file, parsed as its map says. */
export const feedHouse = ({
  nameScore,
  ...needs
}: Needs<FeedSettings> & { readonly nameScore?: NameScore | undefined }): AuctionHouse => {
  const { source, map } = needs.settings
  const parser = (now: number) => rowParser({ source, map, now, nameScore })
  return openHouse<Auction>(needs, { contents: 'auctions', parser })
}

/** A feed of domains that are for sale without an end. */
export const saleHouse = (needs: Needs<SaleFeedSettings>): AuctionHouse<SaleListing> => {
  const parser = () => saleParser(needs.settings)
  return openHouse<SaleListing>(needs, { contents: 'listings', parser })
}

type Records<T> = Pick<AuctionHouse<T>, 'contents'> & {
  /** `now` is in whole seconds. */
  parser(now: number): (values: Values) => Row<T>
}

function openHouse<T>(
  { settings, download, staging, holder, clock, wait, limits }: Needs<FeedSettings<FeedId>>,
  { contents, parser }: Records<T>,
): AuctionHouse<T> {
  const { source, location, map, header, provider = '' } = settings
  const { downloadBytes, feedBytes, timeoutMs } = { ...LIMITS, ...limits }
  const parserHash = hash('sha1', JSON.stringify([PARSER_VERSION, map]), 'hex')
  const seed = parseInt(parserHash.slice(0, 8), 16)
  const identity = hash('sha1', provider, 'hex').slice(0, 8)
  /** Prefix of stored validators: they are only valid for the same location and parser. */
  const prefix = `${identity}.${hash('sha1', `${parserHash} ${location}`, 'hex').slice(0, 12)} `
  /** Validators of earlier versions do not tell the provider. */
  const isOther = (stored: string) => /^[0-9a-f]{8}\./.test(stored) && !stored.startsWith(`${identity}.`)
  const secrets = secretsOf(settings)
  const path = join(staging, `${source}-${holder}.part`)
  const removeDownload = () => rmSync(path, { force: true })
  const headers = header ? { [header.name]: header.value } : {}

  const openDelivery = (stored: string, validator: string) => {
    const watch = watchColumns(map)
    const toRow = parser(Math.floor(clock.now() / 1000))
    return {
      reader: { map, toRow, watch, seed },
      shared: {
        validator: prefix + validator,
        replacesOther: isOther(stored),
        missingColumns: watch.missing,
      },
    }
  }

  function fromFile(stored: string): Delivery<T> | null {
    const state = statSync(location, { throwIfNoEntry: false })
    if (!state?.isFile()) throw new UpstreamError('unavailable', `The feed file of ${source} does not exist.`)
    const validator = `${state.mtimeMs} ${state.size} ${state.ino}`
    if (stored === prefix + validator) return null
    const { reader, shared } = openDelivery(stored, validator)
    const dispose = () => {}
    if (!map.pages) return { ...shared, offers: () => readFeed(location, { ...reader, maxBytes: feedBytes }), dispose }
    if (state.size > MAX_PAGE_BYTES) throw new FeedError(`The feed is larger than ${MAX_PAGE_BYTES} bytes.`)
    const toOffer = jsonRecordReader(reader)
    return {
      ...shared,
      async *offers() {
        const records = findList(await readPageFile(location, { map, source, secrets }), map.list)
        yield records.map((record) => toOffer(record, JSON.stringify(record)))
      },
      dispose,
    }
  }

  async function fromUrl(stored: string, signal: AbortSignal): Promise<Delivery<T> | null> {
    try {
      const fresh = await download({
        url: location,
        path,
        headers,
        validator: stored.startsWith(prefix) ? stored.slice(prefix.length) : '',
        maxBytes: downloadBytes,
        timeoutMs,
        signal,
      })
      if (fresh) {
        const { reader, shared } = openDelivery(stored, fresh.validator)
        const offers = () => readFeed(path, { ...reader, maxBytes: feedBytes })
        return { ...shared, offers, dispose: removeDownload }
      }
      removeDownload()
      return null
    } catch (error) {
      removeDownload()
      throw error
    }
  }

  function fromPages(pages: Pages, stored: string, signal: AbortSignal): Delivery<T> {
    const { reader, shared } = openDelivery(stored, '')
    const limit = { maxBytes: Math.min(MAX_PAGE_BYTES, downloadBytes), timeoutMs: Math.min(PAGE_TIMEOUT_MS, timeoutMs) }
    const fetchPage = async (url: string, pageSignal: AbortSignal) => {
      await download({ url, path, headers, ...limit, signal: pageSignal })
      return path
    }
    const toOffer = jsonRecordReader(reader)
    const paged = { ...map, pages }
    return {
      ...shared,
      offers: () => readPages({ location, map: paged, source, secrets, fetchPage, toOffer, clock, wait, signal }),
      dispose: removeDownload,
    }
  }

  return {
    id: source,
    contents,
    secrets,
    async deliver(stored, signal) {
      if (!isUrl(location)) return fromFile(stored)
      if (!existsSync(staging)) mkdirSync(staging)
      removeStaleDownloads(staging, clock.now() - STALE_DOWNLOAD_MS)
      return map.pages ? fromPages(map.pages, stored, signal) : fromUrl(stored, signal)
    },
  }
}

/** Shorter values are words such as USD, which a feed may well contain. */
const MIN_SECRET_LENGTH = 6

/** The header, and every value in the query of the URL: one of them may be a key. The longest is replaced first. */
function secretsOf({ location, header }: Pick<FeedSettings, 'location' | 'header'>): string[] {
  const query = Array.from(URL.parse(location)?.searchParams.values() ?? [])
  return [...query, ...(header ? [header.value, ...header.value.split(' ')] : [])]
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .toSorted((a, b) => b.length - a.length)
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
