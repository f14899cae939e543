import { dayOf, type OfficeFile } from './listing.ts'

/** A file by its name, and how long it is. */
export type Known = { readonly name: string; readonly bytes: number }

type Question = {
  readonly offered: readonly OfficeFile[]
  /** What the index has taken in. */
  readonly takenIn: readonly Known[]
  /** What lies in the folder. */
  readonly here: readonly Known[]
  /** The first day wanted, `YYYY-MM-DD`; undefined leaves it to what is there. */
  readonly since?: string | undefined
}

export type Plan = {
  /** In the order to take them in: a whole register first, then day by day. */
  readonly files: readonly (OfficeFile & { readonly isHere: boolean })[]
  /** How many more would be wanted, had the index not taken them in. */
  readonly takenIn: number
}

/**
 * What to fetch. Of whole registers the newest; of days those since, or since the newest whole register that is offered
 * here or was taken in, or since the first day that was taken in, so that gaps are closed.
 */
export function planFetch({ offered, takenIn, here, since }: Question): Plan {
  const annual = offered.filter(({ kind }) => kind === 'annual')
  const newest = last(annual.map(({ day }) => day))
  const from = since ?? firstDay(newest, takenIn)
  const wanted = [
    ...annual.filter(({ day }) => day === newest),
    ...offered.filter(({ kind, day }) => kind === 'daily' && (from === undefined || day >= from)),
  ]
  const isIn = (known: readonly Known[]) => {
    const byName = Map.groupBy(known, ({ name }) => name)
    // The Office replaces a file now and then: then it has another length.
    return ({ name, bytes }: OfficeFile) =>
      byName.get(name)?.some((one) => bytes === null || one.bytes === bytes) === true
  }
  const isTakenIn = isIn(takenIn)
  const isHere = isIn(here)
  const files = wanted.filter((file) => !isTakenIn(file)).map((file) => ({ ...file, isHere: isHere(file) }))
  return { files, takenIn: wanted.length - files.length }
}

function firstDay(newest: string | undefined, takenIn: readonly Known[]): string | undefined {
  const daysOf = (kind: OfficeFile['kind']) =>
    takenIn.map(({ name }) => dayOf(kind, name)).filter((day) => day !== null)
  // The last day of a whole register itself is taken once more: what was done that evening may be in neither.
  return last([...daysOf('annual'), ...(newest === undefined ? [] : [newest])]) ?? daysOf('daily').toSorted()[0]
}

const last = (days: readonly string[]): string | undefined => days.toSorted().at(-1)
