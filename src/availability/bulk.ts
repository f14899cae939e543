import type { Context } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import { errorBody } from '../kernel/error-response.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import { DOMAINS_PER_REQUEST } from './contract.ts'
import type { Target } from './probe.ts'
import type { Sleep } from './service.ts'
import { parseDomainTarget } from './targets.ts'

/** A domain of the list that cannot be checked, and why. */
export type RefusedDomain = { readonly domain: string; readonly error: string; readonly message: string }

/** Parses each domain by itself: an invalid one does not reject the list. Duplicates are merged. */
export function parseDomains(
  domains: readonly string[],
  catalogue: Catalogue,
): { readonly targets: readonly Target[]; readonly refused: readonly RefusedDomain[] } {
  const targets = new Map<string, Target>()
  const refused: RefusedDomain[] = []
  for (const text of domains) {
    try {
      const target = parseDomainTarget(text, catalogue)
      targets.set(target.domain, target)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { error: code, message } = errorBody(error) as Pick<RefusedDomain, 'error' | 'message'>
      refused.push({ domain: text.slice(0, 253), error: code, message })
    }
  }
  return { targets: [...targets.values()], refused }
}

/**
 * Yields the targets as fast as the client's rate limit allows. The request itself counts for the first
 * `DOMAINS_PER_REQUEST`; each further group counts as one more request, and waits if none is left.
 */
export async function* paceByRateLimit(
  targets: readonly Target[],
  { spend, signal }: Pick<Context, 'spend' | 'signal'>,
  sleep: Sleep,
): AsyncIterable<Target> {
  for (const [at, target] of targets.entries()) {
    if (at > 0 && at % DOMAINS_PER_REQUEST === 0) {
      for (let decision = await spend(1); !decision.allowed; decision = await spend(1)) {
        await sleep(decision.seconds * 1000, signal)
      }
    }
    yield target
  }
}
