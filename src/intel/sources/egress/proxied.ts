import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { isIPv6, type LookupFunction, type Socket } from 'node:net'
import { connectToProxy, requestTunnel } from '../../../kernel/upstream/proxy-tunnel.ts'
import { type ProxyError, proxyFailure, type ProxyServer } from '../../../kernel/upstream/proxy.ts'
import type { Destination } from './destination.ts'

type Route = {
  readonly proxy: ProxyServer
  /** DNS lookup of the proxy. */
  readonly lookup: LookupFunction
  /** Where the proxy is asked to connect to; undefined for requests that it forwards. */
  readonly target: Destination | undefined
}

/** Statuses of a proxy that could not reach the host, and what they say about the host. */
const GATEWAY_FAILURES: Readonly<Record<number, 'closed' | 'timeout'>> = {
  502: 'closed',
  503: 'closed',
  504: 'timeout',
}

/** What the proxy's refusal says about the host it was asked for; undefined if it is about the proxy. */
export const siteFailureOf = ({ status = 0 }: ProxyError): 'closed' | 'timeout' | undefined => GATEWAY_FAILURES[status]

/**
 * Whether a forwarded request was answered by the proxy instead of the host: its error page would be taken for the page
 * of the site. A 502 or 504 without any mark counts as the proxy's, a 503 does not: sites in maintenance answer it.
 */
export function isProxysOwn(status: number, headers: IncomingHttpHeaders): boolean {
  const isMarked = headers['x-squid-error'] !== undefined || /;\s*error=/.test(String(headers['proxy-status'] ?? ''))
  return isMarked || status === 407 || status === 502 || status === 504
}

/** Opens a connection to the operator's proxy, and through it to the target if there is one. Throws ProxyError if it refuses. */
export async function dialProxy(
  { proxy, lookup, target }: Route,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  limit.throwIfAborted()
  const socket = connectToProxy(proxy, lookup).setNoDelay(true)
  try {
    await once(socket, proxy.protocol === 'https:' ? 'secureConnect' : 'connect', { signal: limit }).catch(
      (error: Error) => {
        signal.throwIfAborted()
        throw proxyFailure(proxy, limit.aborted ? new Error('timeout') : error)
      },
    )
    if (target) await openTunnel(socket, { proxy, target }, limit)
    return socket
  } catch (error) {
    // An abandoned socket may still emit an error.
    socket.on('error', () => {}).destroy()
    throw error
  }
}

function openTunnel(
  socket: Socket,
  { proxy, target: { host, port } }: { readonly proxy: ProxyServer; readonly target: Destination },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null): void => {
      socket.off('error', onError).off('close', onClose)
      signal.removeEventListener('abort', onAbort)
      if (error) reject(error)
      else resolve()
    }
    const onError = (error: Error) => settle(proxyFailure(proxy, error))
    const onClose = () => settle(proxyFailure(proxy, new Error('it closed the connection')))
    // The proxy itself was reached, so it still waits for the host.
    const onAbort = () => settle(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }))
    socket.once('error', onError).once('close', onClose)
    signal.addEventListener('abort', onAbort, { once: true })
    requestTunnel(socket, { proxy, target: `${isIPv6(host) ? `[${host}]` : host}:${port}` }, settle)
  })
}
