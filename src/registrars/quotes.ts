import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { DomainName } from '../kernel/names.ts'
import { withTimeout } from '../kernel/timeout.ts'
import type { Quote, RegistrarCheck } from './registrar-check.ts'

/** Whether names are premium, as the operator's registrar says. It is asked rarely, so most names are not known. */
export type Quotes = {
  /** Undefined if the registrar was not asked lately. */
  known(domain: DomainName): Quote | undefined
  /** Asks the registrar, if it may be asked now. Undefined if it may not, or does not answer; never throws but on abort. */
  find(domain: DomainName, signal: AbortSignal): Promise<Quote | undefined>
}

type Needs = { readonly registrar: RegistrarCheck; readonly clock: Clock; readonly log: Pick<Log, 'warn'> }

const TTL_MS = 6 * 3_600_000
const MAX_QUOTES = 10_000
/** The answer to a client waits no longer for it. */
const TIMEOUT_MS = 3_000

export function createQuotes({ registrar, clock, log }: Needs): Quotes {
  const quotes = createCache<Quote>({ name: 'quotes of the registrar', max: MAX_QUOTES, clock })
  let nextAt = -Infinity
  const known = (domain: DomainName) => quotes.get(domain)?.value
  return {
    known,
    async find(domain, signal) {
      const found = known(domain)
      if (found || clock.monotonic() < nextAt) return found
      nextAt = clock.monotonic() + registrar.intervalMs
      try {
        const timeout = { who: 'the registrar', timeoutMs: TIMEOUT_MS, signal }
        const value = await withTimeout(timeout, (own) => registrar.check(domain, own))
        quotes.set(domain, { value, ttlMs: TTL_MS })
        return value
      } catch (error) {
        signal.throwIfAborted()
        log.warn({ error }, 'The registrar did not say whether a name is premium.')
        return undefined
      }
    },
  }
}
