import type { RegistryAnswer } from '../../kernel/registration.ts'
import { parseDomainObject } from './domain-object.ts'
import { record, text, type Json } from './json.ts'
import { saysPremium } from './premium.ts'
import { errorWords, namesAnother, reasonIn, refusalIn } from './refusals.ts'

/** A normal answer has a few KiB; a larger one is not parsed. */
export const MAX_BODY_BYTES = 512 * 1024

type Why = Extract<RegistryAnswer, { kind: 'unclear' }>['why']
const unclear = (why: Why, said: string): RegistryAnswer => ({ kind: 'unclear', why, said: said.slice(0, 200) })

type Source = {
  /** A redirect led to another host than that in the bootstrap file. */
  readonly otherHost?: boolean
}

/**
 * Interprets the answer of an RDAP server about a domain. `available` needs a 404 with the RDAP media type, and an RDAP
 * error or, from the registry's own host, an empty body: any web server answers 404 for an unknown path.
 */
export function parseRdap(
  status: number,
  contentType: string | undefined,
  body: Uint8Array | string,
  domain: string,
  { otherHost = false }: Source = {},
): RegistryAnswer {
  if (body.length > MAX_BODY_BYTES) return unclear('not_understood', `${body.length} bytes`)
  const content = parseContent(body, contentType)
  if (status === 404) return parseNotFound(content, domain, otherHost)
  if (status >= 200 && status < 300) {
    return content.kind === 'object'
      ? parseSuccess(content.object, domain)
      : unclear('not_understood', `${status} with ${content.said}`)
  }
  return parseErrorStatus(status, content, domain)
}

type Content = (
  | { readonly kind: 'object'; readonly object: Json }
  | { readonly kind: 'empty'; readonly said: string }
  | { readonly kind: 'foreign'; readonly said: string }
) & {
  /** The media type, without parameters. */
  readonly type: string
}
const RDAP_TYPE = 'application/rdap+json'

function parseContent(body: Uint8Array | string, contentType = ''): Content {
  const decoded = typeof body === 'string' ? body.replace(/^\ufeff/, '') : new TextDecoder().decode(body)
  const trimmed = decoded.trim()
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (trimmed === '') return { kind: 'empty', type, said: 'no body' }
  if (!trimmed.startsWith('{')) {
    return { kind: 'foreign', type, said: trimmed.startsWith('<') ? 'a web page' : 'other text' }
  }
  try {
    const object = record(JSON.parse(trimmed))
    if (object) return { kind: 'object', type, object }
  } catch {
    // Truncated, or never JSON.
  }
  return { kind: 'foreign', type, said: 'broken JSON' }
}

function parseSuccess(object: Json, domain: string): RegistryAnswer {
  if (object['errorCode'] !== undefined) {
    return unclear('not_understood', `an error with a success status: ${errorWords(object).join('. ')}`)
  }
  return parseDomainObject(object, domain)
}

function parseNotFound(content: Content, domain: string, otherHost: boolean): RegistryAnswer {
  const { type } = content
  if (content.kind === 'foreign') return unclear('not_understood', `404 with ${content.said}`)
  if (content.kind === 'empty') {
    if (type !== RDAP_TYPE) return unclear('not_understood', `an empty 404 of type ${type || 'unknown'}`)
    return otherHost ? unclear('not_understood', 'an empty 404 from another host') : { kind: 'available' }
  }
  const { object } = content
  const sentences = errorWords(object)
  const words = sentences.join('. ')
  const code = text(object['errorCode'])
  if (object['objectClassName'] !== undefined) return unclear('not_understood', '404 with an object')
  // JSON of a gateway has none of these.
  if (code === undefined && object['rdapConformance'] === undefined && type !== RDAP_TYPE) {
    return unclear('not_understood', '404 with JSON that is not RDAP')
  }
  if (code === '429') return unclear('rate_limited', words || 'errorCode 429')
  if (code !== undefined && code !== '404') return unclear('not_understood', `404 with errorCode ${code}: ${words}`)
  const premium = saysPremium(sentences, domain)
  switch (refusalIn(words, domain)) {
    case 'reserved':
      return { kind: 'reserved', reason: reasonIn(sentences, domain), ...(premium && { premium: true as const }) }
    case 'throttled':
      return unclear('rate_limited', words)
    case 'elsewhere':
    case 'doubtful':
      return unclear('not_understood', words)
    case undefined:
      break
  }
  if (namesAnother(words, domain)) return unclear('not_understood', words)
  if (premium === 'kept') return { kind: 'reserved', reason: words, premium: true }
  if (type !== RDAP_TYPE) return unclear('not_understood', `404 of type ${type || 'unknown'}: ${words}`)
  return { kind: 'available', ...(premium && { premium: true as const }) }
}

function parseErrorStatus(status: number, content: Content, domain: string): RegistryAnswer {
  const sentences = content.kind === 'object' ? errorWords(content.object) : []
  const words = sentences.join('. ')
  const said = words === '' ? `status ${status}` : `status ${status}: ${words}`
  const refusal = refusalIn(words, domain)
  if (status === 429 || refusal === 'throttled') return unclear('rate_limited', said)
  if (status !== 400 && status !== 422) return unclear('unavailable', said)
  return refusal === 'reserved'
    ? {
        kind: 'reserved',
        reason: reasonIn(sentences, domain),
        ...(saysPremium(sentences, domain) && { premium: true as const }),
      }
    : unclear('not_understood', said)
}
