import type { TypedName } from './name-list.js'

export type ListRow = {
  /** The domain as it was sent. */
  readonly key: string
  readonly line: number
  readonly name: string
  readonly domain: string
  readonly state: string
  readonly note: string
}
export const STATES: readonly string[]
export const SORTS: readonly string[]
export function rowOf(result: unknown, typed: ReadonlyMap<string, TypedName>): ListRow
export function matches(row: ListRow, state: string): boolean
export function sortRows(rows: readonly ListRow[], sort: string): ListRow[]
export const CSV_HEADER: string
export function csvLine(row: ListRow): string
export function csvCell(value: unknown): string
