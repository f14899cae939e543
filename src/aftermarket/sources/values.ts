import { UpstreamError } from '../../kernel/errors.ts'
import { parseUsd } from '../../kernel/money.ts'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import type { Price } from '../marketplace.ts'

/** Far above any sale; higher prices are errors or jokes. */
const MAX_PRICE = parseUsd('1000000000')
const MAX_URL_LENGTH = 2048

/** Null for 0, which means that the seller waits for offers. Undefined if invalid. */
export function parsePrice(amount: string, currency: string): Price | null | undefined {
  if (!/^[A-Z]{3,10}$/.test(currency)) return undefined
  try {
    const micros = parseUsd(amount.trim())
    if (micros === 0n) return null
    return micros <= MAX_PRICE ? { micros, currency } : undefined
  } catch {
    return undefined
  }
}

/** A link that is safe to return; otherwise null. The service never follows it. */
export function parseLink(text: string): string | null {
  if (text.length > MAX_URL_LENGTH || hasControlCharacter(text)) return null
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' ? url.href : null
}

/** ISO 8601 in UTC; null if invalid or not in this century. */
export function parseTime(text: string): string | null {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return ms > 946_684_800_000 && ms < 4_102_444_800_000 ? new Date(ms).toISOString() : null
}

/** Replaces `{domain}`. */
export const fillTemplate = (template: string, domain: string): string =>
  template.replaceAll('{domain}', encodeURIComponent(domain))

export const invalidReply = (who: string, what: string, cause?: unknown) =>
  new UpstreamError('unavailable', `${who} ${what}`, { cause })
