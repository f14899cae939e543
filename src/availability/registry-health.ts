import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { QueryRegistry } from '../kernel/registration.ts'

/** Recent success rate and response time of each registry server. */
export type RegistryHealth = {
  /** Wraps `query` and records every outcome. */
  watch(source: 'rdap' | 'whois', query: QueryRegistry, serverOf: (tld: string) => string): QueryRegistry
  report(): RegistryReport[]
}

export type RegistryReport = {
  readonly server: string
  readonly source: 'rdap' | 'whois'
  readonly asked: number
  readonly success: number
  readonly throttled: number
  readonly p95Ms: number
}

type Sample = { readonly outcome: 'answered' | 'throttled' | 'failed'; readonly ms: number }
type Entry = { readonly server: string; readonly source: 'rdap' | 'whois'; readonly samples: Sample[]; asked: number }

const MAX_SERVERS = 500
const MAX_SAMPLES_PER_SERVER = 200

export function createRegistryHealth(clock: Clock): RegistryHealth {
  const entries = new Map<string, Entry>()

  const addSample = (source: Entry['source'], server: string, sample: Sample) => {
    const key = `${source} ${server}`
    const entry = entries.get(key) ?? { server, source, samples: [], asked: 0 }
    entry.asked++
    entry.samples.push(sample)
    if (entry.samples.length > MAX_SAMPLES_PER_SERVER) entry.samples.shift()
    // Moves the server to the end: the least recently queried is evicted first.
    entries.delete(key)
    entries.set(key, entry)
    if (entries.size > MAX_SERVERS) entries.delete(entries.keys().next().value!)
  }

  return {
    watch: (source, query, serverOf) => async (target, options) => {
      const began = clock.monotonic()
      const done = (outcome: Sample['outcome']) =>
        addSample(source, serverOf(target.tld), { outcome, ms: clock.monotonic() - began })
      try {
        const response = await query(target, options)
        const { answer } = response
        done(answer.kind !== 'unclear' ? 'answered' : answer.why === 'rate_limited' ? 'throttled' : 'failed')
        return response
      } catch (error) {
        if (error instanceof UpstreamError && error.failure !== 'not_configured') {
          done(error.failure === 'rate_limited' ? 'throttled' : 'failed')
        }
        throw error
      }
    },
    report: () => Array.from(entries.values(), createReport).toSorted((a, b) => b.asked - a.asked),
  }
}

function createReport({ server, source, samples, asked }: Entry): RegistryReport {
  const share = (outcome: Sample['outcome']) =>
    Math.round((1000 * samples.filter((sample) => sample.outcome === outcome).length) / samples.length) / 1000
  const times = samples.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const p95Ms = Math.round(times[Math.ceil(times.length * 0.95) - 1]!)
  return { server, source, asked, success: share('answered'), throttled: share('throttled'), p95Ms }
}
