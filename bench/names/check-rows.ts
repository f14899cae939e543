import type { NamesOptions } from '../../sandbox/names/start.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import type { Task } from './contestants.ts'
import { evenLabel, halfFree, SEED } from './lists.ts'
import { checkLegacy, checkStream } from './service-client.ts'

export const REGISTRY_LATENCY_MS = 60
export const NAME_SERVER_LATENCY_MS = 5
const REGISTRY_RATE_LIMIT = { perSecond: 20, burst: 20 }
const TIMEOUT_MS = 60_000

type Targets = {
  readonly wallMs: number
  readonly firstMs?: number
  readonly upstream?: number
  readonly throttledShare?: number
}

/** One task on one simulated internet. */
export type CheckRow = {
  readonly title: string
  readonly task: Omit<Task, 'world'>
  readonly world: NamesOptions
  readonly targets: Targets
  readonly isInQuickRun: boolean
  /** Each trial then needs a new internet: a rate limit remembers the trial before. */
  readonly hasRateLimit?: true
}

/** How registries are reached: the protocol they offer, and how long the resolver needs for their host names. */
type Access = { readonly http2: boolean; readonly lookupMs: number; readonly isInQuickRun: boolean }
const ACCESSES: readonly Access[] = [
  { http2: true, lookupMs: 0, isInQuickRun: false },
  { http2: true, lookupMs: 20, isInQuickRun: true },
  { http2: true, lookupMs: 100, isInQuickRun: false },
  { http2: false, lookupMs: 0, isInQuickRun: false },
  { http2: false, lookupMs: 20, isInQuickRun: true },
  { http2: false, lookupMs: 100, isInQuickRun: true },
]

/** The time a task may take: over HTTP/2, over HTTP/1.1 if host names are found fast, and if they are found slowly. */
type Budget = { readonly http2Ms: number; readonly http1Ms: number; readonly http1SlowLookupMs: number }
const SLOW_LOOKUP_MS = 100

const budgetMs = ({ http2Ms, http1Ms, http1SlowLookupMs }: Budget, { http2, lookupMs }: Access): number => {
  // The lookup cannot be hidden behind anything but the query to the name servers.
  if (http2) return http2Ms + (lookupMs === SLOW_LOOKUP_MS ? SLOW_LOOKUP_MS : 0)
  return lookupMs === SLOW_LOOKUP_MS ? http1SlowLookupMs : http1Ms
}

/** All rows: three tasks for each way to reach registries, and two with other worlds. */
export function checkRows(tls: boolean): CheckRow[] {
  const { all, categories } = loadCatalogue()
  const popular = categories.find(({ name }) => name === 'top20')!.tlds
  const name = evenLabel(popular)
  const everywhere = evenLabel(all)
  const com = halfFree(['com'], 200)
  const base = {
    seed: SEED,
    tls,
    latencyMs: REGISTRY_LATENCY_MS,
    dns: { latencyMs: NAME_SERVER_LATENCY_MS },
  }
  const tasks = [
    {
      title: '200 .com',
      task: { domains: com, timeoutMs: TIMEOUT_MS },
      budget: { http2Ms: 300, http1Ms: 400, http1SlowLookupMs: 600 },
      targets: { upstream: 102 },
    },
    {
      title: '500 over 5 registries',
      task: {
        domains: interleaved(halfFree(['com', 'org', 'app', 'io', 'xyz'], 100), 5),
        timeoutMs: TIMEOUT_MS,
      },
      budget: { http2Ms: 500, http1Ms: 650, http1SlowLookupMs: 800 },
      targets: { upstream: 252 },
    },
    {
      title: '1 name × 20 TLDs, streamed',
      task: {
        domains: popular.map((tld) => `${name}.${tld}`),
        timeoutMs: TIMEOUT_MS,
        call: (url: string, ms: number) => checkStream(url, name, ms),
      },
      budget: { http2Ms: 150, http1Ms: 200, http1SlowLookupMs: 350 },
      targets: { firstMs: 30, upstream: 11 },
    },
  ]
  return [
    ...tasks.flatMap(({ title, task, budget, targets }) =>
      ACCESSES.map((access): CheckRow => {
        const { http2, lookupMs, isInQuickRun } = access
        return {
          title: `${title}, ${http2 ? 'HTTP/2' : 'HTTP/1.1'}, DNS ${lookupMs} ms`,
          task,
          world: { ...base, http2, byHostName: true, dns: { ...base.dns, recursorLatencyMs: lookupMs } },
          targets: { ...targets, wallMs: budgetMs(budget, access) },
          isInQuickRun,
        }
      }),
    ),
    {
      title: '200 .com, 20 requests/s',
      task: { domains: com, timeoutMs: TIMEOUT_MS },
      world: { ...base, rdapLimit: REGISTRY_RATE_LIMIT, whoisLimit: REGISTRY_RATE_LIMIT },
      targets: { wallMs: 5_500, throttledShare: 0.01 },
      hasRateLimit: true,
      isInQuickRun: true,
    },
    {
      title: 'legacy, 1 name × 511 TLDs',
      task: {
        domains: all.map((tld) => `${everywhere}.${tld}`),
        timeoutMs: TIMEOUT_MS,
        call: (url, ms) => checkLegacy(url, everywhere, ms),
      },
      world: base,
      targets: { wallMs: 1_500 },
      isInQuickRun: true,
    },
  ]
}

/** Mixes the TLDs, as in lists that people have, instead of all of .com first. */
const interleaved = (domains: readonly string[], parts: number): string[] => {
  const each = domains.length / parts
  return domains.map((_, at) => domains[(at % parts) * each + Math.floor(at / parts)]!)
}
