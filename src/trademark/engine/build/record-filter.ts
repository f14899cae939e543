import { createHash } from 'node:crypto'
import { isSparse, type Sparse } from '../../sources/office-xml/extract.ts'
import type { Day, TrademarkRecord } from '../../record.ts'
import { decodeBody } from '../format/records/body.ts'
import type { IngestSource } from './ingest-file.ts'
import { eachRecord, type Portion } from './portion.ts'

/** Which records of the register an import keeps. */
export type RecordFilter = {
  /** Only marks filed on this day or later. */
  readonly filedSince?: Day | undefined
  /** Only marks in one of these classes, each as three digits, `A` or `B`. */
  readonly classes?: readonly string[] | undefined
}

/** For people, and to tell a file that was imported in part from a whole one. Empty for a filter that keeps all. */
export function describeFilter({ filedSince, classes }: RecordFilter): string {
  const day = String(filedSince ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  return [
    ...(classes === undefined ? [] : [`classes ${classes.toSorted().join(', ')}`]),
    ...(filedSince === undefined ? [] : [`filed since ${day}`]),
  ].join('; ')
}

const FILTERED_NAME = /^(.+) \[(.+)\]$/

/** The name of a file in the list of imported ones, and the filter it was imported with; empty for none. */
export function splitName(name: string): { readonly file: string; readonly filter: string } {
  const [, file = name, filter = ''] = FILTERED_NAME.exec(name) ?? []
  return { file, filter }
}

/**
 * The source with only the records that pass. It has another name and hash than the whole file, which can therefore be
 * imported later, and then adds the rest.
 */
export function filterSource(source: IngestSource, filter: RecordFilter): IngestSource {
  const description = describeFilter(filter)
  if (description === '') return source
  return {
    ...source,
    name: `${source.name} [${description}]`,
    sha256: async () =>
      createHash('sha256')
        .update(`${await source.sha256()} ${description}`)
        .digest('hex'),
    async *records(onBytes) {
      const found = source.records(onBytes)
      if (!(Symbol.asyncIterator in found)) {
        yield [...found].filter((one) => passes(filter, one))
        return
      }
      for await (const portion of found)
        yield 'ends' in portion ? recordsIn(portion, filter) : portion.filter((one) => passes(filter, one))
    },
  }
}

function recordsIn(portion: Portion, filter: RecordFilter): (TrademarkRecord | Sparse)[] {
  const kept: (TrademarkRecord | Sparse)[] = []
  const keep = (one: TrademarkRecord | Sparse) => {
    if (passes(filter, one)) kept.push(one)
  }
  eachRecord(portion, keep, (bytes, begin) => keep(decodeBody(bytes, begin)))
  return kept
}

/** A sparse record that says nothing about day or classes passes: it may belong to one that was kept. */
function passes({ filedSince, classes }: RecordFilter, found: TrademarkRecord | Sparse): boolean {
  const record = isSparse(found) ? found.record : found
  if (record === null) return true
  const isUnknown = isSparse(found)
  const isNew = filedSince === undefined || (record.filingDate === null ? isUnknown : record.filingDate >= filedSince)
  const isInClass =
    classes === undefined ||
    (record.classes.length === 0 ? isUnknown : record.classes.some((one) => classes.includes(one)))
  return isNew && isInClass
}
