import type { Context } from '../kernel/endpoint.ts'
import { ApiError } from '../kernel/errors.ts'
import { errorBody } from '../kernel/error-response.ts'
import type { NextTurn } from '../kernel/event-loop.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import { DOMAINS_PER_REQUEST } from './contract.ts'
import type { Target } from './probe.ts'
import type { Sleep } from './service.ts'
import { parseDomainTarget } from './targets.ts'

/** A domain of the list that cannot be checked, and why. */
export type RefusedDomain = { readonly domain: string; readonly error: string; readonly message: string }

type Needs = {
  readonly catalogue: Catalogue
  readonly sleep: Sleep
  readonly nextTurn: NextTurn
  /** The request: who pays for the work, and until when it is wanted. */
  readonly context: Pick<Context, 'spend' | 'signal'>
}

/** Names parsed in one step of the event loop. A long name outside ASCII takes up to a millisecond. */
export const DOMAINS_PER_STEP = 5

/**
 * Parses the list as fast as the client's rate limit allows. The request itself counts for the first
 * `DOMAINS_PER_REQUEST` entries; each further group counts as one more request, and waits if none is left. All entries
 * count, since an invalid one is work too. It is yielded with its error and does not reject the list. Duplicates are merged.
 */
export async function* parseList(
  domains: readonly string[],
  { catalogue, sleep, nextTurn, context: { spend, signal } }: Needs,
): AsyncIterable<Target | RefusedDomain> {
  const seen = new Set<string>()
  for (const [at, text] of domains.entries()) {
    if (at > 0 && at % DOMAINS_PER_REQUEST === 0) {
      for (let decision = await spend(1); !decision.allowed; decision = await spend(1)) {
        await sleep(decision.seconds * 1000, signal)
      }
    }
    if (at > 0 && at % DOMAINS_PER_STEP === 0) await nextTurn()
    const item = parseEntry(text, catalogue)
    if ('error' in item) yield item
    else if (!seen.has(item.domain)) {
      seen.add(item.domain)
      yield item
    }
  }
}

function parseEntry(text: string, catalogue: Catalogue): Target | RefusedDomain {
  try {
    return parseDomainTarget(text, catalogue)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { error: code, message } = errorBody(error) as Pick<RefusedDomain, 'error' | 'message'>
    return { domain: text.slice(0, 253), error: code, message }
  }
}
