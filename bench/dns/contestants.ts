import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { Resolver } from 'node:dns/promises'
import type { DnsClient } from '../../src/protocols/dns/client.ts'
import { encodeQuery, withId } from '../../src/protocols/dns/query.ts'
import { parseServerAddress } from '../../src/protocols/dns/server-address.ts'

/** Whether the name is delegated; throws if that stays unknown. */
export type Client = (name: string) => Promise<boolean>

const QUERY_TIMEOUT_MS = 10_000

export function ours(dns: DnsClient, port: number): Client {
  const servers = [parseServerAddress(`127.0.0.1:${port}`)]
  return async (name) => {
    const options = { type: 'NS', servers, recursion: false, zone: 'tld', timeoutMs: QUERY_TIMEOUT_MS } as const
    const { outcome } = await dns.query({ name, ...options })
    if (outcome !== 'referral' && outcome !== 'nxdomain') throw new Error(outcome)
    return outcome === 'referral'
  }
}

export function theirs(port: number): Client {
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${port}`])
  return async (name) => {
    try {
      await resolver.resolveNs(name)
      return true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // A referral has no answer section; Node reports it as a name without records.
      if (code === 'ENODATA') return true
      if (code === 'ENOTFOUND') return false
      throw error
    }
  }
}

/**
 * The least that any client on Node's UDP sockets can cost: sends the same queries in batches and looks only at the id
 * and the response code of an answer. No retries, no timeouts, no checks.
 */
export async function bareSocket(port: number): Promise<{ readonly ask: Client; close(): void }> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: 1024 * 1024,
    lookup: (ip, _options, callback) => callback(null, ip, 4),
  })
  // Listens before it binds: with this lookup, binding ends at once.
  const listening = once(socket, 'listening')
  socket.bind(0, '127.0.0.1')
  await listening
  const waiting = Array.from<(isTaken: boolean) => void>({ length: 0x10000 })
  let [queries, answers]: [Buffer[], Buffer[]] = [[], []]
  let id = 0
  socket.on('message', (bytes) => {
    if (answers.push(bytes) > 1) return
    setImmediate(() => {
      const all = answers
      answers = []
      for (const answer of all) waiting[answer.readUInt16BE(0)]!((answer[3]! & 0xf) === 0)
    })
  })
  const flush = () => {
    const all = queries
    queries = []
    for (const query of all) socket.send(query, port, '127.0.0.1')
  }
  return {
    ask: (name) =>
      new Promise((resolve) => {
        id = (id + 1) & 0xffff
        waiting[id] = resolve
        const query = encodeQuery({ name, type: 'NS', recursion: false, dnssec: false, edns: true })
        if (queries.push(withId(query, id)) === 1) setImmediate(flush)
      }),
    close: () => void socket.close(),
  }
}
