import { UpstreamError } from '../../kernel/errors.ts'
import { parseUsd } from '../../kernel/money.ts'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import type { Marketplace, Price } from '../marketplace.ts'

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

/** Replaces `{domain}`. */
export const fillTemplate = (template: string, domain: string): string =>
  template.replaceAll('{domain}', encodeURIComponent(domain))

/** The page about a domain from templates with `{domain}`; the second with the operator's affiliate id, or null. */
export const fixedPage =
  (page: string, affiliatePage: string | null): Marketplace['pageOf'] =>
  (domain) => ({ url: fillTemplate(page, domain), affiliateUrl: fillTemplate(affiliatePage ?? page, domain) })

export const invalidReply = (who: string, what: string, cause?: unknown) =>
  new UpstreamError('unavailable', `${who} ${what}`, { cause })
