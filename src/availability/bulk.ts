import type { Context } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import { errorBody } from '../kernel/failing.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import { NAMES_PER_REQUEST } from './contract.ts'
import type { Target } from './probe.ts'
import type { Wait } from './service.ts'
import { domainTarget } from './targets.ts'

/** A domain of the list that cannot be checked, and why. */
export type Refused = { readonly domain: string; readonly error: string; readonly message: string }

/** The list read once: each domain a target or refused by itself, repeats merged. */
export function readDomains(
  domains: readonly string[],
  catalogue: Catalogue,
): { readonly targets: readonly Target[]; readonly refused: readonly Refused[] } {
  const targets = new Map<string, Target>()
  const refused: Refused[] = []
  for (const text of domains) {
    try {
      const target = domainTarget(text, catalogue)
      targets.set(target.domain, target)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { error: code, message } = errorBody(error) as Pick<Refused, 'error' | 'message'>
      refused.push({ domain: text.slice(0, 253), error: code, message })
    }
  }
  return { targets: [...targets.values()], refused }
}

/**
 * The targets at the pace the caller's limit allows. The request itself paid for the first few; every further few
 * take one more, and wait for it where nothing is left.
 */
export async function* paced(
  targets: readonly Target[],
  { spend, signal }: Pick<Context, 'spend' | 'signal'>,
  wait: Wait,
): AsyncIterable<Target> {
  for (const [at, target] of targets.entries()) {
    if (at > 0 && at % NAMES_PER_REQUEST === 0) {
      for (let decision = await spend(1); !decision.allowed; decision = await spend(1)) {
        await wait(decision.seconds * 1000, signal)
      }
    }
    yield target
  }
}
