import { dayOf, type OfficeFile } from './listing.ts'

/** A file by name and size. */
export type KnownFile = { readonly name: string; readonly bytes: number }

type PlanInput = {
  readonly offered: readonly OfficeFile[]
  /** Files that were imported. */
  readonly imported: readonly KnownFile[]
  /** Files that are in the folder. */
  readonly here: readonly KnownFile[]
  /** The first day wanted, `YYYY-MM-DD`; if undefined, it follows from the other fields. */
  readonly since?: string | undefined
  /** Files of the complete register from the last to the first: the Office numbers them by serial number. */
  readonly newestFirst?: boolean
}

export type Plan = {
  /** In import order: a complete register first, then day by day. */
  readonly files: readonly (OfficeFile & { readonly isHere: boolean })[]
  /** Number of files left out because they were imported before. */
  readonly imported: number
}

/**
 * The files to fetch: the newest complete register that is offered, and the daily files from `since` on. Without `since`, days
 * start with the newest complete register that is offered or was imported, or else with the first imported day, which closes
 * gaps.
 */
export function planFetch({ offered, imported, here, since, newestFirst = false }: PlanInput): Plan {
  const annual = offered.filter(({ kind }) => kind === 'annual')
  const newest = last(annual.map(({ day }) => day))
  const from = since ?? firstDay(newest, imported)
  const register = annual.filter(({ day }) => day === newest)
  const wanted = [
    ...(newestFirst ? register.toReversed() : register),
    ...offered.filter(({ kind, day }) => kind === 'daily' && (from === undefined || day >= from)),
  ]
  const isIn = (known: readonly KnownFile[]) => {
    const byName = Map.groupBy(known, ({ name }) => name)
    // A file that the Office has replaced has another size.
    return ({ name, bytes }: OfficeFile) =>
      byName.get(name)?.some((one) => bytes === null || one.bytes === bytes) === true
  }
  const isImported = isIn(imported)
  const isHere = isIn(here)
  const files = wanted.filter((file) => !isImported(file)).map((file) => ({ ...file, isHere: isHere(file) }))
  return { files, imported: wanted.length - files.length }
}

function firstDay(newest: string | undefined, imported: readonly KnownFile[]): string | undefined {
  const daysOf = (kind: OfficeFile['kind']) =>
    imported.map(({ name }) => dayOf(kind, name)).filter((day) => day !== null)
  // The last day of a complete register is fetched again: changes of that evening may not be in it.
  return last([...daysOf('annual'), ...(newest === undefined ? [] : [newest])]) ?? daysOf('daily').toSorted()[0]
}

const last = (days: readonly string[]): string | undefined => days.toSorted().at(-1)
