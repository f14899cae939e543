import table from '../../data/trademark-statuses.json' with { type: 'json' }

export type Status = { readonly description: string; readonly life: 'live' | 'dead' | 'indifferent' }

const statuses: ReadonlyMap<string, Status> = new Map(
  (['live', 'dead', 'indifferent'] as const).flatMap((life) =>
    Object.entries(table[life]).map(([code, description]): [string, Status] => [code, { description, life }]),
  ),
)

/** For codes that the Office added after our table was made: neither live nor dead. */
const UNKNOWN: Status = { description: 'status not known', life: 'indifferent' }

/** What a status code means, and whether such a mark is live (registered or pending). */
export const statusOf = (code: string): Status => statuses.get(code) ?? UNKNOWN

export const isLive = (code: string): boolean => statusOf(code).life === 'live'

export const knownStatuses = (): readonly string[] => [...statuses.keys()].sort()
