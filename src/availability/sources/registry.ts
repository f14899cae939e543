import { UpstreamError } from '../../kernel/errors.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { QueryRegistry, RegistryAnswer } from '../../kernel/registration.ts'
import type { LookupFailure, Finding, Probe, Source } from '../probe.ts'

/** Queries the registry by RDAP or WHOIS. */
export function registryProbe(
  source: Extract<Source, 'rdap' | 'whois'>,
  queryRegistry: QueryRegistry,
  clock: Clock,
): Probe {
  return {
    async query(target, options) {
      const began = clock.monotonic()
      try {
        const { answer, evidence } = await queryRegistry(target, options)
        return { ...toFinding(answer), evidence }
      } catch (error) {
        if (options.signal.aborted || !(error instanceof UpstreamError)) throw error
        const at = new Date(clock.now()).toISOString()
        const ms = Math.round(clock.monotonic() - began)
        const evidence = { source, server: '', question: target.domain, outcome: error.message, at, ms }
        const { refusal } = error
        return {
          says: 'unclear',
          failure: toFailure(error),
          ...(isRetryable(error) && { retryable: true }),
          ...(refusal !== undefined && { refusal }),
          evidence,
        }
      }
    },
  }
}

function toFinding(answer: RegistryAnswer): Omit<Finding, 'evidence'> {
  switch (answer.kind) {
    case 'registered': {
      const { registration, premium } = answer
      return { says: 'registered', statuses: registration.status, registration, ...(premium && { premium }) }
    }
    case 'available': {
      const { wording, premium } = answer
      return { says: 'available', ...(wording && { wording }), ...(premium && { premium }) }
    }
    case 'reserved':
      return { says: 'reserved', reason: answer.reason, ...(answer.premium && { premium: answer.premium }) }
    case 'unclear':
      return { says: 'unclear', failure: answer.why === 'rate_limited' ? 'rate_limited' : 'upstream_error' }
  }
}

/** An immediate retry is pointless if the server is unreachable or rate-limits us. */
const isRetryable = ({ retryable, unreachable, failure }: UpstreamError): boolean =>
  retryable && !unreachable && failure !== 'rate_limited'

const toFailure = ({ failure }: UpstreamError): LookupFailure =>
  failure === 'timeout' || failure === 'rate_limited' ? failure : 'upstream_error'
