import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { CsvError, createCsvParser, type CsvRecord } from '../../../kernel/csv.ts'
import { FeedError, type Offer, type Row } from '../../auction-house.ts'
import { type FeedMap, type Field, FIELDS } from './feed-map.ts'
import { jsonListReader } from './json-list.ts'
import { lineReader } from './lines.ts'
import { hashRecord } from '../record-hash.ts'
import { idParser, type Values } from './row.ts'
import { unzipLargest } from './unzip-largest.ts'

type Options = {
  readonly map: FeedMap
  readonly toRow: (values: Values) => Row
  /** Seed of the record hashes; different for every way to parse. */
  readonly seed: number
  /** Maximum size after decompression. */
  readonly maxBytes: number
}

/** Each batch is written in one transaction. */
const BATCH_ROWS = 2000
const CHUNK_BYTES = 256 * 1024

/** Streams the records of a feed file in batches: plain, gzip or zip; CSV, JSON, or one JSON object per line. */
export async function* readFeed(path: string, { map, toRow, seed, maxBytes }: Options): AsyncGenerator<Offer[]> {
  const reader = map.format === 'csv' ? csvOffers(map, toRow, seed) : jsonOffers(map, toRow, seed)
  let batch: Offer[] = []
  try {
    for await (const text of readText(path, maxBytes)) {
      for (const offer of reader.push(text)) {
        batch.push(offer)
        if (batch.length < BATCH_ROWS) continue
        yield batch
        batch = []
      }
    }
    for (const offer of reader.end()) batch.push(offer)
  } catch (error) {
    throw error instanceof CsvError ? new FeedError(error.message, { cause: error }) : error
  }
  if (batch.length > 0) yield batch
}

type OfferReader = { push(text: string): Iterable<Offer>; end(): Iterable<Offer> }

function csvOffers(map: FeedMap, toRow: (values: Values) => Row, seed: number): OfferReader {
  const parseId = idParser(map)
  const reader = createCsvParser(map.delimiter)
  let positions = map.header ? columnPositions(map, map.header) : null
  let record: readonly string[] = []
  const values: Values = (field) => {
    const position = positions![FIELD_INDEX[field]]!
    const value = position === -1 ? undefined : record[position]
    return value === '' ? undefined : value
  }
  function* offers(records: Iterable<CsvRecord>): Generator<Offer> {
    for (const { fields: one } of records) {
      if (!positions) {
        positions = columnPositions(map, one)
        continue
      }
      record = one
      const read = () => {
        record = one
        return toRow(values)
      }
      yield { id: parseId(values), mark: hashRecord(seed, ...one), read }
    }
  }
  return { push: (text) => offers(reader.push(text)), end: () => offers(reader.end()) }
}

const FIELD_INDEX = Object.fromEntries(FIELDS.map((field, at) => [field, at])) as Record<Field, number>

/** The column of each field, or -1. Throws if a required column is missing, for example in an HTML error page. */
function columnPositions({ fields }: FeedMap, header: readonly string[]): number[] {
  const names = header.map((name) => name.trim())
  const positions = FIELDS.map((field) => (fields[field] === undefined ? -1 : names.indexOf(fields[field])))
  for (const needed of ['domain', 'current_price', 'ends_at'] as const) {
    if (positions[FIELD_INDEX[needed]] === -1) throw new FeedError(`The CSV has no column "${fields[needed]}".`)
  }
  return positions
}

function jsonOffers(map: FeedMap, toRow: (values: Values) => Row, seed: number): OfferReader {
  const { fields } = map
  const parseId = idParser(map)
  let record: Readonly<Record<string, unknown>> = {}
  const values: Values = (field) => {
    const name = fields[field]
    return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
  }
  const toOffer = (text: string): Offer => {
    const parsed = parseObject(text)
    if (!parsed) return { id: null, mark: 0, read: () => ({ refused: 'it is not a JSON object' }) }
    record = parsed
    const read = () => {
      record = parsed
      return toRow(values)
    }
    return { id: parseId(values), mark: hashRecord(seed, text), read }
  }
  function* offers(texts: Iterable<string>): Generator<Offer> {
    for (const text of texts) yield toOffer(text)
  }
  if (map.format === 'jsonl') {
    const reader = lineReader()
    return { push: (text) => offers(reader.push(text)), end: () => offers(reader.end()) }
  }
  const reader = jsonListReader(map.list)
  return {
    push: (text) => offers(reader.push(text)),
    end() {
      reader.end()
      return []
    },
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

/** The decompressed text of a file. Throws FeedError if it is damaged or too large. */
async function* readText(path: string, maxBytes: number): AsyncGenerator<string> {
  // TextDecoder removes a byte order mark, and replaces invalid UTF-8 with U+FFFD, which no domain contains.
  const decoder = new TextDecoder()
  let size = 0
  for await (const chunk of readBytes(path)) {
    size += chunk.length
    if (size > maxBytes) throw new FeedError(`The feed is larger than ${maxBytes} bytes.`)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const [first, second] = firstBytes(path)
  if (first === 0x50 && second === 0x4b) return yield* unzipLargest(path)
  const plain = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  if (first !== 0x1f || second !== 0x8b) return yield* plain as AsyncIterable<Buffer>
  const unpacked = plain.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  plain.on('error', (error) => unpacked.destroy(error))
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    throw new FeedError('The gzip file is damaged or truncated.', { cause: error })
  } finally {
    plain.destroy()
  }
}

function firstBytes(path: string): Buffer {
  const handle = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(2)
    return bytes.subarray(0, readSync(handle, bytes, 0, 2, 0))
  } finally {
    closeSync(handle)
  }
}
