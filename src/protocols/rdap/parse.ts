import type { RegistryAnswer } from '../../kernel/registration.ts'
import { readDomainObject } from './domain-object.ts'
import { record, text, type Json } from './json.ts'
import { errorWords, reasonIn, refusalIn } from './refusals.ts'

/** An answer is a few KiB; what is larger than this is not read. */
export const LARGEST_BODY = 512 * 1024

type Why = Extract<RegistryAnswer, { kind: 'unclear' }>['why']
const unclear = (why: Why, said: string): RegistryAnswer => ({ kind: 'unclear', why, said: said.slice(0, 200) })

/**
 * What an RDAP server's answer to a question for a domain means. Only a 404 in the server's own words, or with none,
 * is `available`: a web page, somebody else's error or a cut answer never is.
 */
export function parseRdap(
  status: number,
  contentType: string | undefined,
  body: Uint8Array | string,
  domain: string,
): RegistryAnswer {
  if (body.length > LARGEST_BODY) return unclear('not_understood', `${body.length} bytes`)
  const content = readContent(body, contentType)
  if (status === 404) return readAbsence(content, domain)
  if (status >= 200 && status < 300) {
    return content.kind === 'object'
      ? readPresence(content.object, domain)
      : unclear('not_understood', `${status} with ${content.said}`)
  }
  return readFailure(status, content, domain)
}

type Content =
  | { readonly kind: 'object'; readonly object: Json; readonly saysRdap: boolean }
  | { readonly kind: 'empty'; readonly said: string }
  | { readonly kind: 'foreign'; readonly said: string }

function readContent(body: Uint8Array | string, contentType = ''): Content {
  const decoded = typeof body === 'string' ? body.replace(/^\ufeff/, '') : new TextDecoder().decode(body)
  const trimmed = decoded.trim()
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  if (trimmed === '') {
    // Nothing at all, called a web page, comes from something that stands before the server.
    const plausible = type === '' || type.endsWith('json') || type === 'application/octet-stream'
    return plausible ? { kind: 'empty', said: 'no body' } : { kind: 'foreign', said: `an empty ${type}` }
  }
  if (!trimmed.startsWith('{')) return { kind: 'foreign', said: trimmed.startsWith('<') ? 'a web page' : 'other text' }
  try {
    const object = record(JSON.parse(trimmed))
    if (object) return { kind: 'object', object, saysRdap: type === 'application/rdap+json' }
  } catch {
    // Cut off, or never JSON: either way it does not say what it would have said.
  }
  return { kind: 'foreign', said: 'broken JSON' }
}

function readPresence(object: Json, domain: string): RegistryAnswer {
  if (object['errorCode'] !== undefined) {
    return unclear('not_understood', `an error called a success: ${errorWords(object).join('. ')}`)
  }
  return readDomainObject(object, domain)
}

function readAbsence(content: Content, domain: string): RegistryAnswer {
  if (content.kind === 'empty') return { kind: 'available' }
  if (content.kind === 'foreign') return unclear('not_understood', `404 with ${content.said}`)
  const { object, saysRdap } = content
  const sentences = errorWords(object)
  const words = sentences.join('. ')
  const code = text(object['errorCode'])
  if (object['objectClassName'] !== undefined) return unclear('not_understood', '404 with an object')
  // A gateway's own JSON has none of this.
  if (code === undefined && object['rdapConformance'] === undefined && !saysRdap) {
    return unclear('not_understood', '404 with JSON that is not RDAP')
  }
  if (code === '429') return unclear('rate_limited', words || 'errorCode 429')
  if (code !== undefined && code !== '404') return unclear('not_understood', `404 with errorCode ${code}: ${words}`)
  switch (refusalIn(words, domain)) {
    case 'reserved':
      return { kind: 'reserved', reason: reasonIn(sentences, domain) }
    case 'throttled':
      return unclear('rate_limited', words)
    case 'elsewhere':
    case 'doubtful':
      return unclear('not_understood', words)
    case undefined:
      return { kind: 'available' }
  }
}

function readFailure(status: number, content: Content, domain: string): RegistryAnswer {
  const sentences = content.kind === 'object' ? errorWords(content.object) : []
  const words = sentences.join('. ')
  const said = words === '' ? `status ${status}` : `status ${status}: ${words}`
  const refusal = refusalIn(words, domain)
  if (status === 429 || refusal === 'throttled') return unclear('rate_limited', said)
  if (status !== 400 && status !== 422) return unclear('unavailable', said)
  return refusal === 'reserved'
    ? { kind: 'reserved', reason: reasonIn(sentences, domain) }
    : unclear('not_understood', said)
}
