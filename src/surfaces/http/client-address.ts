import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalAddress } from '../../kernel/addresses.ts'

/**
 * The address of the client: the right-most address in X-Forwarded-For that is not a trusted proxy. Addresses to its left
 * are claims of the client and are ignored.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string {
  const peer = peerOf(request.socket)
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined) return peer.address
  peer.trusted ??= isTrusted(peer.address)
  if (!peer.trusted) return peer.address
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',')
  let client = peer.address
  for (let at = hops.length - 1; at >= 0; at--) {
    const hop = canonicalAddress(withoutPort(hops[at]!.trim()))
    if (hop === undefined) break
    client = hop
    // The first entry is the client even if it is trusted: there is nothing to its left.
    if (at === 0 || !isTrusted(hop)) break
  }
  return client
}

type Peer = { readonly address: string; trusted: boolean | undefined }

/** The remote address of a connection, computed once for all its requests. */
function peerOf(socket: Socket): Peer {
  let peer = peers.get(socket)
  if (peer === undefined) {
    // A closed connection has no address; all of them share one rate-limit key.
    peer = { address: canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown', trusted: undefined }
    peers.set(socket, peer)
  }
  return peer
}
const peers = new WeakMap<Socket, Peer>()

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  hop.startsWith('[') ? hop.slice(1).replace(/\](?::\d+)?$/, '') : hop.replace(/^([\d.]+):\d+$/, '$1')

/** The key of a client in the rate limiter: an IPv4 address, or the /64 of an IPv6 address, which is what one customer gets. */
export function rateKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0)
    while (groups.length + after < 8) groups.push('0')
    if (groups.length < 4) groups.push(...tail.split(':'))
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
