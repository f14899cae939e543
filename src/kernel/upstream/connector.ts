import { lookup as systemLookup } from 'node:dns'
import { isIP, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { LRUCache } from 'lru-cache'
import type { buildConnector } from 'undici'
import { isPublicAddress } from '../addresses.ts'
import type { Clock } from '../clock.ts'
import { type AddressPolicy, addressRefused, allowedAddresses, type HostLookup, NoAllowedAddress } from './guard.ts'
import { createTlsSessions, type Endpoint, type Opened, openSocket } from './open-socket.ts'
import { createProxyRules, isPrivateName, proxyFailure, type ProxyServer, type ProxySettings } from './proxy.ts'
import { createSessionWait } from './session-wait.ts'
import { createSpareConnections } from './spare-connections.ts'

export type Connector = {
  /** For undici: opens a connection, or takes one that was opened ahead. */
  readonly connect: buildConnector.connector
  /** The proxy that a request is sent to instead of its host: for http URLs, whose connections are not tunnelled. */
  forwardingProxy(url: URL): ProxyServer | undefined
  /** Opens a connection to that proxy itself. */
  readonly connectToProxy: buildConnector.connector
  /** The error if the URL's host must not be asked for; the address of other hosts is checked when it is known. */
  refusal(url: URL): Error | undefined
  /**
   * Opens connections ahead of need, until `wanted` are open or being opened; one is enough for HTTP/2. As long as the
   * protocol is unknown, it opens one and the others when it turns out to be HTTP/1.1. With 0, only looks up the host.
   */
  openAhead(url: URL, wanted: number): void
  /** Connections to this host (as in `URL.host`) that are open or being opened over HTTP/1.1; undefined over HTTP/2 or if unknown. */
  http1ConnectionsTo(host: string): number | undefined
  /** Closes all connections, also those still being opened, which undici cannot close. */
  destroy(): void
}

type Options = AddressPolicy & {
  readonly clock: Clock
  readonly lookup: HostLookup | undefined
  readonly connectTimeoutMs: number
  readonly ca: string | undefined
  readonly proxy?: ProxySettings | undefined
}

const HTTP1_ONLY = ['http/1.1']
/** Hosts whose TLS session and protocol are remembered. */
const MAX_HOSTS = 500

/**
 * Opens connections to allowed addresses only. The addresses that are checked are those that are connected to: a second
 * DNS answer (DNS rebinding) has no effect.
 */
export function guardedConnector({
  clock,
  lookup = systemLookup,
  connectTimeoutMs,
  ca,
  proxy,
  ...policy
}: Options): Connector {
  const { allow = isPublicAddress, named } = policy
  const common = {
    timeoutMs: connectTimeoutMs,
    // The operator named the proxy, so it may have any address, and only the system may know it.
    proxyLookup: allowedAddresses(() => true, named?.lookup ?? systemLookup),
    // One for all connections: creating one takes as long as a handshake.
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
    sessions: createTlsSessions({ clock, max: MAX_HOSTS }),
  }
  const toNamed = { ...common, lookup: allowedAddresses(() => true, named?.lookup ?? lookup) }
  const toOthers = { ...common, lookup: allowedAddresses(allow, lookup) }
  const findProxy = createProxyRules(proxy)
  const spares = createSpareConnections()
  const sessionWait = createSessionWait()
  let isDestroyed = false
  const sockets = new Set<Socket>()
  const openTo = new Map<string, number>()
  const protocols = new LRUCache<string, 'h1' | 'h2'>({ max: MAX_HOSTS })
  const wantedOf = new Map<string, number>()

  const isNamed = (host: string): boolean => named?.has(host) ?? false

  const count = (origin: string, change: number): void => {
    const open = (openTo.get(origin) ?? 0) + change
    if (open > 0) openTo.set(origin, open)
    else openTo.delete(origin)
  }

  const open = (endpoint: Endpoint, opened: Opened): Socket => {
    const { origin, host } = endpoint
    const options = isNamed(host) ? toNamed : toOthers
    const socket = openSocket(endpoint, options, (error, connection) => {
      if (connection) {
        const isTls = connection instanceof TLSSocket
        const protocol = isTls && connection.alpnProtocol === 'h2' ? 'h2' : 'h1'
        protocols.set(origin, protocol)
        // Before undici learns the protocol: it then connects for all requests in its queue.
        const isFirst = openTo.get(origin) === 1 && !common.sessions.get(origin)
        if (isTls && protocol === 'h1' && isFirst) sessionWait.begin(origin, connection)
      }
      opened(error instanceof NoAllowedAddress ? addressRefused(host, policy) : error, connection)
      const wanted = wantedOf.get(origin)
      wantedOf.delete(origin)
      if (wanted !== undefined && connection) sessionWait.whenOver(origin, () => openMore(endpoint, wanted))
    })
    sockets.add(socket)
    count(origin, 1)
    socket.once('close', () => {
      sockets.delete(socket)
      count(origin, -1)
    })
    return socket
  }

  const openMore = (endpoint: Endpoint, wanted: number): void => {
    const { origin } = endpoint
    if (isDestroyed) return
    const protocol = endpoint.protocol === 'https:' ? protocols.get(origin) : 'h1'
    if (protocol === undefined) wantedOf.set(origin, wanted)
    const target = protocol === 'h1' ? wanted : Math.min(wanted, 1)
    while ((openTo.get(origin) ?? 0) < target) spares.add(origin, (opened) => open(endpoint, opened))
  }

  /** A literal address is not looked up, and behind a proxy no name is, so these are checked here. */
  const isRefused = ({ host, hostname, proxy }: Endpoint & { readonly proxy: ProxyServer | undefined }): boolean => {
    if (isNamed(host)) return false
    return isIP(hostname) === 0 ? proxy !== undefined && isPrivateName(hostname) : !allow(hostname)
  }

  const refused = ({ host, proxy }: Endpoint): Error =>
    addressRefused(host, policy, { isUnresolved: proxy !== undefined })

  const endpointOf = ({ origin, protocol, host, hostname: bracketed, port }: Omit<Endpoint, 'proxy'>) => {
    const hostname = bracketed.replace(/^\[|\]$/g, '')
    return { origin, protocol, host, hostname, port, proxy: findProxy({ protocol, hostname, port }) }
  }

  const isForwarded = ({ protocol, proxy }: Endpoint): boolean => protocol === 'http:' && proxy !== undefined

  return {
    connect({ protocol, hostname, host = hostname, port }, callback) {
      const endpoint = endpointOf({ origin: `${protocol}//${host}`, protocol, host, hostname, port })
      const opened: Opened = (error, socket) =>
        socket ? callback(null, socket) : callback(error ?? new Error('no socket'), null)
      if (isRefused(endpoint)) queueMicrotask(() => opened(refused(endpoint), null))
      else
        sessionWait.whenOver(endpoint.origin, () => {
          if (isDestroyed) opened(new Error('the connections are closed'), null)
          else if (!spares.take(endpoint.origin, opened)) open(endpoint, opened)
        })
    },
    forwardingProxy(url) {
      const endpoint = endpointOf(url)
      return isForwarded(endpoint) ? endpoint.proxy : undefined
    },
    connectToProxy({ protocol, hostname, host = hostname, port }, callback) {
      const endpoint = { origin: `${protocol}//${host}`, protocol, host, hostname, port }
      const socket = openSocket(
        endpoint,
        { ...common, lookup: common.proxyLookup, alpn: HTTP1_ONLY },
        (error, opened) =>
          opened ? callback(null, opened) : callback(proxyFailure(endpoint, error ?? new Error('no socket')), null),
      )
      sockets.add(socket.once('close', () => sockets.delete(socket)))
    },
    refusal(url) {
      const endpoint = endpointOf(url)
      return isRefused(endpoint) ? refused(endpoint) : undefined
    },
    openAhead(url, wanted) {
      const endpoint = endpointOf(url)
      const { origin, host, hostname, proxy } = endpoint
      if (isRefused(endpoint) || isForwarded(endpoint)) return
      if (wanted > 0) sessionWait.whenOver(origin, () => openMore(endpoint, wanted))
      else if (isIP(hostname) === 0 && !proxy)
        (isNamed(host) ? toNamed : toOthers).lookup(hostname, { all: true }, () => {})
    },
    http1ConnectionsTo(host) {
      const origin = [`https://${host}`, `http://${host}`].find((one) => protocols.has(one))
      return origin !== undefined && protocols.get(origin) === 'h1' ? (openTo.get(origin) ?? 0) : undefined
    },
    destroy() {
      isDestroyed = true
      spares.destroy()
      for (const socket of sockets) socket.destroy()
    },
  }
}
