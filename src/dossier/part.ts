import { ApiError, failureMessage, UpstreamError } from '../kernel/errors.ts'

/** The parts of a dossier, in the order in which they are shown. */
export const PART_NAMES = [
  'availability',
  'register',
  'ens',
  'trademarks',
  'aftermarket',
  'auctions',
  'presence',
  'whois',
  'dns',
] as const

export type PartName = (typeof PART_NAMES)[number]

/** What is known of one part. A part never fails the whole. */
export type Part<Data = unknown> =
  | { readonly state: 'known'; readonly data: Data }
  /** It was looked up, and there is nothing. */
  | { readonly state: 'nothing'; readonly message?: string }
  | Unknown
  /** This service does not offer it; the message says what to set. */
  | { readonly state: 'off'; readonly message: string }

type Unknown = {
  readonly state: 'unknown'
  readonly reason: 'timeout' | 'rate_limited' | 'upstream_error'
  readonly message: string
  /** When to ask again. */
  readonly retryAfterSeconds: number
}

/** Long enough for a registry or an engine that is overloaded, short enough for a person who waits. */
const RETRY_AFTER_SECONDS = { timeout: 5, rate_limited: 30, upstream_error: 30 }
/** Errors that say that there is no such thing. */
const NOTHING = new Set(['not_found', 'domain_not_found', 'invalid_name', 'invalid_parameter', 'unsupported_tld'])

/** What a part is asked of: the subject of messages to the caller, and the settings that the operator sets it up with. */
export type Source = { readonly who: string; readonly settings?: string }

/** The part of a source that the operator has not set up. */
export const offPart = ({ who, settings }: Source): Part<never> => ({
  state: 'off',
  message: `${failureMessage(who, { failure: 'not_configured' })}${settings === undefined ? '' : ` The operator sets ${settings}.`}`,
})

/**
 * The part that an error of its endpoint stands for. Only what the operator has not set up is off: what failed, or is not
 * loaded yet, may be known later. Rethrows what is not an expected failure.
 */
export function partOfError(source: Source, error: unknown): Part<never> {
  if (error instanceof UpstreamError) {
    if (error.failure === 'not_configured') return offPart(source)
    const reason = error.failure === 'timeout' || error.failure === 'rate_limited' ? error.failure : 'upstream_error'
    return unknownPart(reason, failureMessage(source.who, error), error.retryAfterMs)
  }
  if (!(error instanceof ApiError)) throw error
  const { code, message, headers } = error
  const retryAfter = headers['Retry-After']
  if (NOTHING.has(code)) return { state: 'nothing', message }
  if (error.off) return { state: 'off', message }
  const reason = code === 'timeout' ? 'timeout' : error.status === 429 ? 'rate_limited' : 'upstream_error'
  return unknownPart(reason, message, retryAfter === undefined ? undefined : Number(retryAfter) * 1000)
}

const unknownPart = (
  reason: keyof typeof RETRY_AFTER_SECONDS,
  message: string,
  retryAfterMs = RETRY_AFTER_SECONDS[reason] * 1000,
): Unknown => ({ state: 'unknown', reason, message, retryAfterSeconds: Math.ceil(retryAfterMs / 1000) })
