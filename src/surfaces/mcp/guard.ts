import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'

export type GuardOptions = {
  /** The address the service listens on. */
  readonly host: string
  /** The address the world knows it by. */
  readonly publicUrl: string
  /** Web origins beyond our own whose pages may call the tools, written `https://example.com`. */
  readonly origins?: readonly string[]
}

/** Says why a request must be refused, or nothing. */
export type Guard = (headers: IncomingHttpHeaders) => string | undefined

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Keeps web pages from talking to a service on their visitor's own machine or network by having their name resolve to
 * it: such a request carries the page's name as Host and as Origin. Programs send no Origin.
 */
export function createGuard({ host, publicUrl, origins = [] }: GuardOptions): Guard {
  const publicHost = new URL(publicUrl).hostname
  const hosts = new Set([publicHost, ...(isReachedOverLoopback(host) ? LOOPBACK : [])])
  const pages = new Set([publicHost, ...LOOPBACK])
  const listed = new Set(origins.map((origin) => new URL(origin).origin))

  return ({ host = '', origin }) => {
    const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
    if (name === undefined || !hosts.has(name)) {
      return 'The Host of this request is not a name of this service. If it should be, it belongs into the public URL.'
    }
    if (origin === undefined || listed.has(origin)) return undefined
    const page = URL.parse(origin)
    // A browser writes an origin in one way only; anything that merely reads like one is refused.
    if (page?.origin === origin && pages.has(page.hostname)) return undefined
    return 'Pages of this Origin may not call this service.'
  }
}

/** True for the wildcard addresses too: loopback is among what they listen on. */
const isReachedOverLoopback = (host: string): boolean =>
  ['localhost', '::1', '::', '0.0.0.0'].includes(host) || (isIPv4(host) && host.startsWith('127.'))
