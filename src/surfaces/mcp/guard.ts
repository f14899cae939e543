import type { IncomingHttpHeaders } from 'node:http'
import { isIPv4 } from 'node:net'

export type GuardOptions = {
  /** The address the service listens on. */
  readonly host: string
  /** The URL at which clients reach it. */
  readonly publicUrl: string
  /** Further web origins whose pages may call the tools, such as `https://example.com`. */
  readonly origins?: readonly string[]
}

/** Returns why a request is refused; undefined if it is allowed. */
export type Guard = (headers: IncomingHttpHeaders) => string | undefined

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Protects against DNS rebinding: a web page whose host name resolves to the visitor's own machine could otherwise call a
 * local service. Such a request carries the page's name as Host and as Origin. Programs send no Origin.
 */
export function createGuard({ host, publicUrl, origins = [] }: GuardOptions): Guard {
  const publicHost = new URL(publicUrl).hostname
  const hosts = new Set([publicHost, ...(isReachedOverLoopback(host) ? LOOPBACK : [])])
  const pages = new Set([publicHost, ...LOOPBACK])
  const listed = new Set(origins.map((origin) => new URL(origin).origin))

  return ({ host = '', origin }) => {
    const name = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase()
    if (name === undefined || !hosts.has(name)) {
      return 'The Host of this request is not a name of this service. If it should be, set ONOMA_PUBLIC_URL to it.'
    }
    if (origin === undefined || listed.has(origin)) return undefined
    const page = URL.parse(origin)
    // Browsers send the serialized origin; anything else that parses as a URL is refused.
    if (page?.origin === origin && pages.has(page.hostname)) return undefined
    return 'Pages of this Origin may not call this service.'
  }
}

/** True for wildcard addresses too: they include loopback. */
const isReachedOverLoopback = (host: string): boolean =>
  ['localhost', '::1', '::', '0.0.0.0'].includes(host) || (isIPv4(host) && host.startsWith('127.'))
