import type { Part } from '../mix/parts.ts'

/** `failed`: the service said that it could not find out. `wrong`: it said something untrue or undocumented. */
export type Judgement = 'right' | 'failed' | 'wrong'

type Result = { readonly domain: string; readonly available: boolean; readonly status: readonly string[] }

/** How an endpoint says that something outside does not answer. */
const FAILED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

/** Names say themselves whether they are taken: the simulated registries go by their first word. */
export function judge(part: Part, { status, body }: { readonly status: number; readonly body: string }): Judgement {
  if (FAILED_STATUSES.has(status)) return 'failed'
  if (!(part.statuses ?? [200]).includes(status)) return 'wrong'
  if (!/^(?:check|bulk)/.test(part.name)) return 'right'
  const parsed = JSON.parse(body) as Result | { readonly results: readonly Result[] }
  const results = 'results' in parsed ? parsed.results : [parsed]
  if (results.some(isWrong)) return 'wrong'
  return results.some(({ status: [state] }) => state === 'unknown') ? 'failed' : 'right'
}

const isWrong = ({ domain, available, status: [state] }: Result): boolean =>
  state !== 'unknown' && available !== domain.startsWith('free-')
