import type { IncomingMessage } from 'node:http'
import { canonicalAddress, isPublicAddress } from '../../kernel/addresses.ts'
import { clientAddress } from './client-address.ts'

/** Headers that only proxies and load balancers add; every name that starts with `x-forwarded` is one too. */
const PROXY_HEADERS: ReadonlySet<string> = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-envoy-external-address',
  'x-amzn-trace-id',
  'x-azure-clientip',
  'x-appengine-user-ip',
  'cf-connecting-ip',
  'cf-ray',
  'cdn-loop',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
])

/** Why a request may come from another machine, to end a sentence; undefined if it comes from this one. */
export function whyNotLocal({ socket, headers }: IncomingMessage): string | undefined {
  if (!isLoopbackSocket(socket.remoteAddress ?? '')) return 'this request comes from another machine'
  const name = proxyHeader(headers)
  if (name !== undefined) return `this request came through a proxy (it has the header ${name})`
  // A proxy may add nothing and keep the Host that its client asked for. HTTP/1.0 needs no Host.
  if (headers.host !== undefined && !isLoopbackHost(headers.host))
    return 'the Host of this request is not a name of this machine'
  return undefined
}

/**
 * Why a request may come from a public network, to end a sentence; undefined if it comes from this machine or from a
 * private address. Behind a trusted proxy the address of its client decides.
 */
export function whyNotPrivate(
  request: IncomingMessage,
  isTrustedProxy: (address: string) => boolean,
): string | undefined {
  const peer = canonicalAddress(request.socket.remoteAddress ?? '')
  const name = proxyHeader(request.headers)
  if (peer !== undefined && name !== undefined && !isTrustedProxy(peer))
    return `this request came through a proxy (it has the header ${name}) that ONOMA_TRUSTED_PROXIES does not name`
  const client = clientAddress(request, isTrustedProxy)
  if (canonicalAddress(client) === undefined || isPublicAddress(client))
    return 'this request comes from a public address'
  return undefined
}

const proxyHeader = (headers: IncomingMessage['headers']): string | undefined => {
  for (const name in headers) if (PROXY_HEADERS.has(name) || name.startsWith('x-forwarded')) return name
  return undefined
}

/** The system's own text of an address: it needs no parsing. */
const isLoopbackSocket = (address: string): boolean =>
  address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.')

function isLoopbackAddress(text: string): boolean {
  const address = canonicalAddress(text)
  return address !== undefined && (address === '::1' || address.startsWith('127.'))
}

/** `localhost`, a name below it, or a loopback address; with or without a port. */
function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return isLoopbackAddress(name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name)
}
