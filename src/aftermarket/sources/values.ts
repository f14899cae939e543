import { UpstreamError } from '../../kernel/errors.ts'
import { parseUsd } from '../../kernel/money.ts'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import type { Price } from '../marketplace.ts'

/** No name was ever sold for as much; who says so is mistaken or joking. */
const HIGHEST = parseUsd('1000000000')
const MAX_URL_LENGTH = 2048

/** Null where it is 0, by which sellers say that they wait for offers. Undefined where it is no price at all. */
export function readPrice(amount: string, currency: string): Price | null | undefined {
  if (!/^[A-Z]{3,10}$/.test(currency)) return undefined
  try {
    const micros = parseUsd(amount.trim())
    if (micros === 0n) return null
    return micros <= HIGHEST ? { micros, currency } : undefined
  } catch {
    return undefined
  }
}

/** A link that is safe to hand on; null for anything else. It is never followed by us. */
export function readLink(text: string): string | null {
  if (text.length > MAX_URL_LENGTH || hasControlCharacter(text)) return null
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' ? url.href : null
}

/** ISO 8601 in UTC; null for what is no time of this century. */
export function readTime(text: string): string | null {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return ms > 946_684_800_000 && ms < 4_102_444_800_000 ? new Date(ms).toISOString() : null
}

/** `{domain}` stands for the name. */
export const fillIn = (template: string, domain: string): string =>
  template.replaceAll('{domain}', encodeURIComponent(domain))

export const unreadable = (who: string, what: string, cause?: unknown) =>
  new UpstreamError('unavailable', `${who} ${what}`, { cause })
