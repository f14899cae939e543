import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { canonicalAddress } from '../../kernel/addresses.ts'

/**
 * Who is asking: the right-most address that no trusted proxy vouches for. Whatever stands left of it in
 * X-Forwarded-For is the client's own claim and is not believed.
 */
export function clientAddress(request: IncomingMessage, isTrusted: (address: string) => boolean): string {
  let client = peerOf(request.socket)
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || !isTrusted(client)) return client
  const hops = (Array.isArray(forwarded) ? forwarded.join(',') : forwarded).split(',')
  for (let at = hops.length - 1; at >= 0 && isTrusted(client); at--) {
    const hop = canonicalAddress(withoutPort(hops[at]!.trim()))
    if (hop === undefined) break
    client = hop
  }
  return client
}

/** The address at the other end of a connection, worked out once for all its requests. */
function peerOf(socket: Socket): string {
  let peer = peers.get(socket)
  if (peer === undefined) {
    // A connection that is already gone has no address; whoever it was shares one count with its like.
    peer = canonicalAddress(socket.remoteAddress ?? '') ?? 'unknown'
    peers.set(socket, peer)
  }
  return peer
}
const peers = new WeakMap<Socket, string>()

/** Some proxies write `203.0.113.7:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string =>
  hop.startsWith('[') ? hop.slice(1).replace(/\](?::\d+)?$/, '') : hop.replace(/^([\d.]+):\d+$/, '$1')

/** What a rate limit is counted on: an IPv4 address whole, an IPv6 address by its /64, since one customer holds at least that. */
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
