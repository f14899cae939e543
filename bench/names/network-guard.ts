/**
 * Loaded into a contestant before its own code (`--import`). WHOIS clients only use port 43, so connections to a host in
 * BENCH_WHOIS (`{"host": port}`) go to that port on loopback instead. Every other connection outside loopback is blocked
 * and counted. With BENCH_LOOKUP_MS, registries have host names, and the system's lookup (`getaddrinfo`) of any name takes
 * that long, on as many threads as Node has for it.
 */
import dns, { type LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, Socket } from 'node:net'

export type BlockedRequest = { readonly ask: 'blocked' }
export type BlockedConnections = { readonly blocked: number }

type Target = { host?: string; port?: number | string; path?: string; lookup?: unknown }

const whoisPorts = new Map(Object.entries(JSON.parse(process.env['BENCH_WHOIS'] ?? '{}') as Record<string, number>))
const { BENCH_LOOKUP_MS: lookupMs } = process.env
let blocked = 0

if (lookupMs !== undefined) replaceSystemLookup(Number(lookupMs))

/** Such a name resolves to loopback only. */
const isSimulatedName = (host: string): boolean => lookupMs !== undefined && isIP(host) === 0

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
    list[0] = { ...rest, host: lookupMs === undefined ? '127.0.0.1' : host, port }
  } else if (host !== '127.0.0.1' && host !== 'localhost' && !isSimulatedName(host)) {
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

/** Node runs `getaddrinfo` on the threads of libuv, four unless this variable says otherwise. */
function replaceSystemLookup(latencyMs: number): void {
  const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4)
  const waiting: (() => void)[] = []
  let busy = 0
  const next = () => {
    while (busy < threads && waiting.length > 0) {
      const answer = waiting.shift()!
      busy++
      setTimeout(() => {
        busy--
        answer()
        next()
      }, latencyMs)
    }
  }
  type Answered = (error: null, address: string | LookupAddress[], family?: number) => void
  const lookup = (_host: string, options: { all?: boolean } | Answered, callback?: Answered): void => {
    const answered = callback ?? (options as Answered)
    const isList = typeof options === 'object' && options.all === true
    waiting.push(() =>
      isList ? answered(null, [{ address: '127.0.0.1', family: 4 }]) : answered(null, '127.0.0.1', 4),
    )
    next()
  }
  dns.lookup = lookup as unknown as typeof dns.lookup
  syncBuiltinESMExports()
}
