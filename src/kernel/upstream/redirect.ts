import type { Hop } from './exchange.ts'
import { checkTarget, ForbiddenTargetError } from './guard.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
export const isRedirect = (status: number): boolean => REDIRECTS.has(status)

/** Headers without credentials, which may be sent to another host. */
const HEADERS_FOR_OTHER_HOSTS = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

/** The request after a redirect. Throws if following it would leak data. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop {
  if (location === undefined) throw new ForbiddenTargetError('it redirects without a location')
  const url = checkTarget(location, hop.url)
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new ForbiddenTargetError('it redirects from https to http')
  }
  const isOtherOrigin = url.origin !== hop.url.origin
  const headers = isOtherOrigin
    ? Object.fromEntries(Object.entries(hop.headers).filter(([name]) => HEADERS_FOR_OTHER_HOSTS.has(name)))
    : hop.headers
  const keepsMethod = status === 307 || status === 308 || hop.method === 'GET' || hop.method === 'HEAD'
  if (!keepsMethod) return { url, method: 'GET', headers: withoutBody(headers), body: undefined }
  if (isOtherOrigin && hop.body !== undefined)
    throw new ForbiddenTargetError('it redirects the request body to another host')
  return { url, method: hop.method, headers, body: hop.body }
}

const withoutBody = (headers: Hop['headers']): Hop['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')))
