import { UpstreamError } from '../../../kernel/errors.ts'
import { quoteValue } from '../../refusals.ts'

const DEFAULT_WAIT_MS = 60_000
const UNITS_MS: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 }

type Context = { readonly source: string; readonly secrets: readonly string[] }

/** The error in a body with status 200, as an UpstreamError that quotes it; null if the body reports success. */
export function findPageError(
  body: Readonly<Record<string, unknown>>,
  { source, secrets }: Context,
): UpstreamError | null {
  const message = errorMessage(body)
  if (message === null) return null
  const text = `The feed of ${source} answered with an error: ${quoteValue(message, secrets)}.`
  if (/too many|rate.?limit|throttl|try again/i.test(message)) {
    return new UpstreamError('rate_limited', text, { retryAfterMs: parseWaitMs(message) })
  }
  return new UpstreamError(
    /\bkey\b|auth|permission|approv|credential/i.test(message) ? 'auth_error' : 'unavailable',
    text,
  )
}

/** Dynadot's `Response`, NameSilo's `reply.code`, and the `success` of park.io. */
function errorMessage({
  Response: response,
  reply,
  success,
  status,
}: Readonly<Record<string, unknown>>): string | null {
  const dynadot = toRecord(response)
  if (dynadot && Number(dynadot['ResponseCode'] ?? 0) !== 0) return textOf(dynadot['Error'])
  const nameSilo = toRecord(reply)
  if (nameSilo && Number(nameSilo['code']) !== NAMESILO_SUCCESS) return textOf(nameSilo['detail'])
  return success === false || status === 'error' ? textOf(undefined) : null
}

const NAMESILO_SUCCESS = 300

const textOf = (value: unknown): string =>
  typeof value === 'string' && value.trim() !== '' ? value : 'no reason given'

export const toRecord = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null

/** "Please try again in 1 minute after." */
function parseWaitMs(message: string): number {
  const match = /(\d{1,3})\s*(second|minute|hour)/i.exec(message)
  return match ? Number(match[1]) * UNITS_MS[match[2]!.toLowerCase()]! : DEFAULT_WAIT_MS
}
