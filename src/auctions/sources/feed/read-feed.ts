import { CsvError, createCsvParser, type CsvRecord } from '../../../kernel/csv.ts'
import { FeedError, type Offer, type Row } from '../../auction-house.ts'
import { type ColumnWatch, columnPositions, FIELD_INDEX } from './column-watch.ts'
import type { FeedMap } from './feed-map.ts'
import { jsonListReader } from './json-list.ts'
import { lineReader } from './lines.ts'
import { hashRecord } from '../record-hash.ts'
import { readText } from './read-text.ts'
import { idParser, type Values } from './row.ts'

type Options<T> = {
  readonly map: FeedMap
  readonly toRow: (values: Values) => Row<T>
  readonly watch: ColumnWatch
  /** Seed of the record hashes; different for every way to parse. */
  readonly seed: number
  /** Maximum size after decompression. */
  readonly maxBytes: number
}

/** Each batch is written in one transaction. */
const BATCH_ROWS = 2000

/** Streams the records of a feed file in batches: plain, gzip or zip; CSV, JSON, or one JSON object per line. */
export async function* readFeed<T>(path: string, { maxBytes, ...options }: Options<T>): AsyncGenerator<Offer<T>[]> {
  const { map } = options
  const reader = map.format === 'csv' ? csvOffers(options) : jsonOffers(options)
  let batch: Offer<T>[] = []
  try {
    for await (const text of readText(path, { ...map, maxBytes })) {
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

type ReaderOptions<T> = Omit<Options<T>, 'maxBytes'>
type OfferReader<T> = { push(text: string): Iterable<Offer<T>>; end(): Iterable<Offer<T>> }

function csvOffers<T>({ map, toRow, watch, seed }: ReaderOptions<T>): OfferReader<T> {
  const parseId = idParser(map)
  const reader = createCsvParser(map.delimiter)
  let positions = map.header ? columnPositions(map, map.header, watch) : null
  let record: readonly string[] = []
  const values: Values = (field) => {
    const position = positions![FIELD_INDEX[field]]!
    const value = position === -1 ? undefined : record[position]
    return value === '' ? undefined : value
  }
  function* offers(records: Iterable<CsvRecord>): Generator<Offer<T>> {
    for (const { fields: one } of records) {
      if (!positions) {
        positions = columnPositions(map, one, watch)
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

/** Turns parsed JSON records into offers. */
export function jsonRecordReader<T>({ map, toRow, watch, seed }: ReaderOptions<T>) {
  const { fields } = map
  const parseId = idParser(map)
  let record: Readonly<Record<string, unknown>> = {}
  const values: Values = (field) => {
    const name = fields[field]
    return name !== undefined && Object.hasOwn(record, name) ? record[name] : undefined
  }
  /** `text` is what is hashed, to notice a change. */
  return (parsed: unknown, text: string): Offer<T> => {
    if (!isObject(parsed)) {
      return { id: null, mark: 0, read: () => ({ refused: 'it is not a JSON object', value: text }) }
    }
    watch.see(parsed)
    record = parsed
    const read = () => {
      record = parsed
      return toRow(values)
    }
    return { id: parseId(values), mark: hashRecord(seed, text), read }
  }
}

function jsonOffers<T>(options: ReaderOptions<T>): OfferReader<T> {
  const { map } = options
  const toOffer = jsonRecordReader(options)
  function* offers(texts: Iterable<string>): Generator<Offer<T>> {
    for (const text of texts) yield toOffer(parseJson(text), text)
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
