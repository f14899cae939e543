import { isIPv4 } from 'node:net'

/** The operator's HTTP proxies: what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. Plain data: it is sent to workers. */
export type ProxySettings = {
  /** For https URLs; the one for http URLs serves both if this is null. */
  readonly https: string | null
  readonly http: string | null
  /** Hosts that are reached directly: names with all below them, `.suffix`, `*.suffix`, `host:port`, `*`; separated by commas or spaces. */
  readonly except: string
}

export type ProxyServer = {
  readonly protocol: 'http:' | 'https:'
  /** For display: the host and port, without user and password. */
  readonly host: string
  /** An IPv6 address has no brackets. */
  readonly hostname: string
  readonly port: number
  /** The value of Proxy-Authorization; undefined if the URL has no user. */
  readonly authorization: string | undefined
}

/** The proxy for a URL; undefined if its host is reached directly. */
export type FindProxy = (url: Pick<URL, 'protocol' | 'hostname' | 'port'>) => ProxyServer | undefined

/** Follows the rules of undici and curl, and one of Go: this machine itself is never asked for through a proxy. */
export function createProxyRules(settings: ProxySettings | undefined): FindProxy {
  const http = settings?.http ? parseProxy(settings.http) : undefined
  const https = settings?.https ? parseProxy(settings.https) : http
  if (!settings || (!http && !https)) return () => undefined
  const exceptions = parseExceptions(settings.except)
  return ({ protocol, hostname, port }) => {
    const proxy = protocol === 'https:' ? https : http
    if (!proxy) return undefined
    const name = bareName(hostname)
    const portNumber = Number(port) || (protocol === 'https:' ? 443 : 80)
    return isThisMachine(name) || exceptions.some((matches) => matches(name, portNumber)) ? undefined : proxy
  }
}

/** Parses the URL of a proxy; `host:port` means http. Throws a RangeError that shows the valid form, without the text. */
export function parseProxy(text: string): ProxyServer {
  const url = URL.parse(text.includes('://') ? text : `http://${text}`)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw new RangeError('not the URL of an HTTP proxy; write it like http://user:password@proxy.example.org:3128')
  }
  const { protocol, host, username, password } = url
  const credentials = `${decode(username)}:${decode(password)}`
  return {
    protocol,
    host,
    hostname: bareName(url.hostname),
    port: Number(url.port) || (protocol === 'https:' ? 443 : 80),
    authorization: username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  }
}

/** A password may have a percent sign that encodes nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** In lower case, without the brackets of an IPv6 address and without a trailing dot. */
const bareName = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(?<=.)\.$/, '')

const isThisMachine = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isIPv4(name) && name.startsWith('127.'))

function parseExceptions(text: string): ((name: string, port: number) => boolean)[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => {
      // Several colons without brackets are an IPv6 address, not a port.
      const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? []
      const host = bareName((bracketed ?? plain ?? entry).replace(/^\*?\.(?=.)/, ''))
      const isBelowOnly = entry.startsWith('*.')
      return (name, port) => {
        if (digits !== undefined && Number(digits) !== port) return false
        return host === '*' || (name === host && !isBelowOnly) || name.endsWith(`.${host}`)
      }
    })
}

/** Suffixes that exist inside a network only: special-use names (RFC 6761, 6762, 8375, 9476) and what companies use. */
const PRIVATE_SUFFIXES =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|alt|onion|invalid)$/

/**
 * Whether a name cannot be one of the internet. Behind a proxy the name is all that can be checked: the proxy looks up
 * the address.
 */
export function isPrivateName(hostname: string): boolean {
  const name = bareName(hostname)
  return !/[.:]/.test(name) || PRIVATE_SUFFIXES.test(name)
}

/** The proxy refused to connect, or is not an HTTP proxy. The message has no credentials. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
  readonly needsPassword: boolean
  /** The status it answered with; undefined if it could not be reached, or is not an HTTP proxy. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.needsPassword = status === 407
    this.status = status
  }
}

/** The error for a proxy that answered with this status instead of connecting to the target. */
export function proxyRefusal({ host, authorization }: ProxyServer, status: number, target: string): ProxyError {
  if (status !== 407) return new ProxyError(`the proxy ${host} answered ${status} to a connection to ${target}`, status)
  const why =
    authorization === undefined
      ? 'wants a user and password: set HTTPS_PROXY or HTTP_PROXY to http://user:password@host:port'
      : 'rejects the user and password in HTTPS_PROXY or HTTP_PROXY'
  return new ProxyError(`the proxy ${host} ${why}`, status)
}

/** The error for a proxy that could not be reached, or closed the connection. */
export function proxyFailure({ host }: Pick<ProxyServer, 'host'>, error: Error): ProxyError {
  if (error instanceof ProxyError) return error
  const code = 'code' in error ? String(error.code) : error.message
  return new ProxyError(`the proxy ${host} cannot be reached (${code})`)
}
