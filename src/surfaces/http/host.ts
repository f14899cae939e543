import type { IncomingMessage } from 'node:http'

/** RFC 3986: an IP literal in brackets or a registered name, which may be empty; then a port. */
const HOST = /^(?:\[[\da-f:.v]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Cache of one: nearly all requests of a service carry the same Host. */
let lastValid = ''

/**
 * Whether a request has one valid Host header (RFC 9112, 3.2). With two, a proxy in front may have used the other one.
 * HTTP/1.0 does not require the header.
 */
export function hasOneValidHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0'
  if (host !== lastValid) {
    if (!HOST.test(host)) return false
    lastValid = host
  }
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count === 1
}
