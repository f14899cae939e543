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
  /** Of the marks: another for every way to read. */
  readonly seed: number
  /** Most bytes it may unpack to. */
  readonly maxBytes: number
}

/** Rows come in portions of this many: one transaction each. */
const BATCH_ROWS = 2000
const CHUNK_BYTES = 256 * 1024

/** Reads a file of a feed a piece at a time, whatever its size: plain, gzip or zip; CSV, JSON or a JSON text on each line. */
export async function* readFeed(path: string, { map, toRow, seed, maxBytes }: Options): AsyncGenerator<Offer[]> {
  const reader = map.format === 'csv' ? csvOffers(map, toRow, seed) : jsonOffers(map, toRow, seed)
  let portion: Offer[] = []
  try {
    for await (const text of textOf(path, maxBytes)) {
      for (const offer of reader.push(text)) {
        portion.push(offer)
        if (portion.length < BATCH_ROWS) continue
        yield portion
        portion = []
      }
    }
    for (const offer of reader.end()) portion.push(offer)
  } catch (error) {
    throw error instanceof CsvError ? new FeedError(error.message, { cause: error }) : error
  }
  if (portion.length > 0) yield portion
}

type OfferReader = { push(text: string): Iterable<Offer>; end(): Iterable<Offer> }

function csvOffers(map: FeedMap, toRow: (values: Values) => Row, seed: number): OfferReader {
  const idIn = idParser(map)
  const reader = createCsvParser(map.delimiter)
  let places = map.header ? columnPositions(map, map.header) : null
  let record: readonly string[] = []
  const values: Values = (field) => {
    const place = places![FIELD_INDEX[field]]!
    const value = place === -1 ? undefined : record[place]
    return value === '' ? undefined : value
  }
  function* offers(records: Iterable<CsvRecord>): Generator<Offer> {
    for (const { fields: one } of records) {
      if (!places) {
        places = columnPositions(map, one)
        continue
      }
      record = one
      const read = () => {
        record = one
        return toRow(values)
      }
      yield { id: idIn(values), mark: hashRecord(seed, ...one), read }
    }
  }
  return { push: (text) => offers(reader.push(text)), end: () => offers(reader.end()) }
}

const FIELD_INDEX = Object.fromEntries(FIELDS.map((field, at) => [field, at])) as Record<Field, number>

/** Where each field stands in a line. A web page instead of a feed is found out here, at its first line. */
function columnPositions({ fields }: FeedMap, header: readonly string[]): number[] {
  const names = header.map((name) => name.trim())
  const places = FIELDS.map((field) => (fields[field] === undefined ? -1 : names.indexOf(fields[field])))
  for (const needed of ['domain', 'current_price', 'ends_at'] as const) {
    if (places[FIELD_INDEX[needed]] === -1) throw new FeedError(`The CSV has no column "${fields[needed]}".`)
  }
  return places
}

function jsonOffers(map: FeedMap, toRow: (values: Values) => Row, seed: number): OfferReader {
  const { fields } = map
  const idIn = idParser(map)
  let record: Readonly<Record<string, unknown>> = {}
  const values: Values = (field) => {
    const name = fields[field]
    return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
  }
  const offerOf = (text: string): Offer => {
    const parsed = objectIn(text)
    if (!parsed) return { id: null, mark: 0, read: () => ({ refused: 'it is no JSON object' }) }
    record = parsed
    const read = () => {
      record = parsed
      return toRow(values)
    }
    return { id: idIn(values), mark: hashRecord(seed, text), read }
  }
  function* offers(texts: Iterable<string>): Generator<Offer> {
    for (const text of texts) yield offerOf(text)
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

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

/** The text of a file, unpacked where its first bytes say so. Throws FeedError where it is damaged or too large. */
async function* textOf(path: string, maxBytes: number): AsyncGenerator<string> {
  // Its own decoder takes away a byte order mark, and puts a sign for what is no UTF-8, which no name can hold.
  const decoder = new TextDecoder()
  let size = 0
  for await (const chunk of bytesOf(path)) {
    size += chunk.length
    if (size > maxBytes) throw new FeedError(`The feed is larger than ${maxBytes} bytes.`)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

async function* bytesOf(path: string): AsyncGenerator<Buffer> {
  const [first, second] = firstBytes(path)
  if (first === 0x50 && second === 0x4b) return yield* unzipLargest(path)
  const plain = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  if (first !== 0x1f || second !== 0x8b) return yield* plain as AsyncIterable<Buffer>
  const unpacked = plain.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  plain.on('error', (error) => unpacked.destroy(error))
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    throw new FeedError('The gzip is damaged or breaks off.', { cause: error })
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
