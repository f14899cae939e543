/**
 * Loaded into a contestant before its own code (`--import`). WHOIS clients only use port 43, so connections to a host in
 * BENCH_WHOIS (`{"host": port}`) go to that port on loopback instead. Every other connection outside loopback is blocked
 * and counted.
 */
import { Socket } from 'node:net'

export type BlockedRequest = { readonly ask: 'blocked' }
export type BlockedConnections = { readonly blocked: number }

type Target = { host?: string; port?: number | string; path?: string; lookup?: unknown }

const whoisPorts = new Map(Object.entries(JSON.parse(process.env['BENCH_WHOIS'] ?? '{}') as Record<string, number>))
let blocked = 0

const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket
Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]): Socket {
  // Node's own modules pass the arguments as one array.
  const list = (Array.isArray(args[0]) ? args[0] : args) as [Target]
  const [target] = list
  if (typeof target !== 'object' || target === null || target.path !== undefined) return connect.apply(this, args)
  const host = target.host ?? '127.0.0.1'
  const port = Number(target.port) === 43 ? whoisPorts.get(host) : undefined
  if (port !== undefined) {
    const { lookup: _lookup, ...rest } = target
    list[0] = { ...rest, host: '127.0.0.1', port }
  } else if (host !== '127.0.0.1' && host !== 'localhost') {
    blocked++
    process.nextTick(() => this.destroy(new Error(`Connections to ${host} are blocked in this bench.`)))
    return this
  }
  return connect.apply(this, args)
}

process.on('message', (request: Partial<BlockedRequest>) => {
  if (request.ask === 'blocked') process.send?.({ blocked } satisfies BlockedConnections)
})
process.channel?.unref()
