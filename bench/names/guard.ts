/**
 * Loaded into a contestant before its own code (`--import`). Clients of port 43 know no other port, so a host that
 * BENCH_WHOIS names (`{"host": port}`) is reached at that port of the loopback instead. Every other connection that
 * would leave the loopback is refused, and counted: somebody was led astray.
 */
import { Socket } from 'node:net'

export type StrayedQuestion = { readonly ask: 'strayed' }
export type Strayed = { readonly strayed: number }

type Place = { host?: string; port?: number | string; path?: string; lookup?: unknown }

const whoisPorts = new Map(Object.entries(JSON.parse(process.env['BENCH_WHOIS'] ?? '{}') as Record<string, number>))
let strayed = 0

const connect = Socket.prototype.connect as (this: Socket, ...args: unknown[]) => Socket
Socket.prototype.connect = function guarded(this: Socket, ...args: unknown[]): Socket {
  // Between Node's own modules the arguments travel in one list.
  const list = (Array.isArray(args[0]) ? args[0] : args) as [Place]
  const [place] = list
  if (typeof place !== 'object' || place === null || place.path !== undefined) return connect.apply(this, args)
  const host = place.host ?? '127.0.0.1'
  const port = Number(place.port) === 43 ? whoisPorts.get(host) : undefined
  if (port !== undefined) {
    const { lookup: _lookup, ...rest } = place
    list[0] = { ...rest, host: '127.0.0.1', port }
  } else if (host !== '127.0.0.1' && host !== 'localhost') {
    strayed++
    process.nextTick(() => this.destroy(new Error(`There is no way to ${host} from here.`)))
    return this
  }
  return connect.apply(this, args)
}

process.on('message', (question: Partial<StrayedQuestion>) => {
  if (question.ask === 'strayed') process.send?.({ strayed } satisfies Strayed)
})
process.channel?.unref()
