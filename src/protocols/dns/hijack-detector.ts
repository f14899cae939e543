import type { Clock } from '../../kernel/clock.ts'
import { withTimeout } from '../../kernel/timeout.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import type { DnsClient, DnsReply } from './client.ts'
import type { DnsOutcome } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

/** Whether a recursor invents answers for a name that does not exist; an outcome if the probe was inconclusive. */
export type HijackVerdict = 'honest' | 'lying' | Exclude<DnsOutcome, 'nxdomain' | 'nodata' | 'answer'>

/** Detects NXDOMAIN hijacking: some recursors answer every unknown name, NS records included, with a search page. */
export type HijackDetector = {
  /** Probes the recursor with a random name below the zone. Verdicts are cached. */
  check(server: ServerAddress, zone: string, timeoutMs: number, signal?: AbortSignal): Promise<HijackVerdict>
  readonly size: number
}

type Needs = { readonly client: DnsClient; readonly clock: Clock; readonly random: Random }
type CachedVerdict = { readonly verdict: Promise<HijackVerdict>; readonly expiresAt: number }

const VERDICT_TTL_MS = 10 * 60_000
/** Enough for a few recursors and every TLD. */
const MAX_VERDICTS = 4096
const PROBE_TIMEOUT_MS = 3000
const LABEL_LENGTH = 24
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function createHijackDetector({ client, clock, random }: Needs): HijackDetector {
  const cache = new Map<string, CachedVerdict>()

  const probe = async (server: ServerAddress, zone: string): Promise<HijackVerdict> => {
    const label = Array.from({ length: LABEL_LENGTH }, () => LETTERS[random.below(LETTERS.length)]).join('')
    const request = { name: `${label}.${zone}`, type: 'NS', servers: [server], recursion: true } as const
    return verdictOf(await client.query({ ...request, timeoutMs: PROBE_TIMEOUT_MS }))
  }

  const cacheVerdict = (key: string, verdict: Promise<HijackVerdict>): Promise<HijackVerdict> => {
    if (cache.size >= MAX_VERDICTS) for (const [oldest] of cache) if (cache.delete(oldest)) break
    const entry = { verdict, expiresAt: clock.monotonic() + VERDICT_TTL_MS }
    cache.set(key, entry)
    const forget = () => void (cache.get(key) === entry && cache.delete(key))
    verdict.then((result) => result === 'honest' || result === 'lying' || forget(), forget)
    return verdict
  }

  return {
    async check(server, zone, timeoutMs, signal) {
      const key = `${server.text} ${zone}`
      const cached = cache.get(key)
      if (cached && clock.monotonic() >= cached.expiresAt) cache.delete(key)
      try {
        // Concurrent callers share one probe; an abort affects only its own caller.
        return await withTimeout(
          { who: server.text, timeoutMs: Math.max(0, timeoutMs), signal },
          () => cache.get(key)?.verdict ?? cacheVerdict(key, probe(server, zone)),
        )
      } catch (error) {
        if (error instanceof UpstreamError && error.failure === 'timeout') return 'timeout'
        throw error
      }
    },
    get size() {
      return cache.size
    },
  }
}

function verdictOf({ outcome, answers }: DnsReply): HijackVerdict {
  if (outcome === 'answer' || answers.length > 0) return 'lying'
  // NODATA: the zone has a wildcard of another type.
  if (outcome === 'nxdomain' || outcome === 'nodata') return 'honest'
  return outcome
}
