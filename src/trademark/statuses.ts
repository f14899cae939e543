import table from '../../data/trademark-statuses.json' with { type: 'json' }

export type Status = { readonly words: string; readonly life: 'live' | 'dead' | 'indifferent' }

const statuses: ReadonlyMap<string, Status> = new Map(
  (['live', 'dead', 'indifferent'] as const).flatMap((life) =>
    Object.entries(table[life]).map(([code, words]): [string, Status] => [code, { words, life }]),
  ),
)

/** A code that the Office added after our table was made: nothing may be said about its life. */
const UNKNOWN: Status = { words: 'status not known', life: 'indifferent' }

/** What a status code of the register means, and whether such a mark is in force or on its way. */
export const statusOf = (code: string): Status => statuses.get(code) ?? UNKNOWN

export const isLive = (code: string): boolean => statusOf(code).life === 'live'

export const knownStatuses = (): readonly string[] => [...statuses.keys()].sort()
