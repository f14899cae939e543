import { FeedError, type MissingColumn } from '../../auction-house.ts'
import { requiredColumns } from '../../refusals.ts'
import { type FeedMap, type Field, FIELDS } from './feed-map.ts'

/** Notices which columns of a map never occur: a feed that renamed one should be told by that column's name. */
export type ColumnWatch = {
  /** Remembers the columns of a record. */
  see(record: Readonly<Record<string, unknown>>): void
  missing(): MissingColumn[]
}

export const FIELD_INDEX = Object.fromEntries(FIELDS.map((field, at) => [field, at])) as Record<Field, number>

/** Without these a record is no auction. An id that the map names is one of them: the domain is no substitute for it. */
const REQUIRED: ReadonlySet<Field> = new Set<Field>(['id', 'domain', 'current_price', 'ends_at'])

export function watchColumns({ fields }: Pick<FeedMap, 'fields'>): ColumnWatch {
  const unseen = new Map<string, boolean>()
  for (const [field, column] of Object.entries(fields) as [Field, string][]) {
    unseen.set(column, (unseen.get(column) ?? false) || REQUIRED.has(field))
  }
  return {
    see(record) {
      for (const column of unseen.keys()) if (Object.hasOwn(record, column)) unseen.delete(column)
    },
    missing: () => Array.from(unseen, ([column, isRequired]) => ({ column, isRequired })),
  }
}

/** The column of each field, or -1. Throws if a required column is missing. */
export function columnPositions({ fields }: FeedMap, header: readonly string[], watch: ColumnWatch): number[] {
  // Some feeds have blanks around the names.
  const names = header.map((name) => name.trim())
  watch.see(Object.fromEntries(names.map((name) => [name, true])))
  const missing = requiredColumns(watch.missing())
  if (missing !== null) throw new FeedError(`The CSV has no ${missing}: it has another format than expected.`)
  return FIELDS.map((field) => (fields[field] === undefined ? -1 : names.indexOf(fields[field])))
}
