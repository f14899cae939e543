import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket as TcpSocket } from 'node:net'
import type { TestContext } from 'node:test'
import { manualClock, systemClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { createDnsClient } from './client.ts'
import { decodeMessage } from './decode.ts'
import { type DraftMessage, encodeMessage } from './encode.ts'
import type { DnsMessage, DnsRecord } from './message.ts'
import { parseServerAddress, type ServerAddress } from './server-address.ts'

/** A received query, and the ways to answer it or misbehave. */
export type Incoming = {
  readonly query: DnsMessage
  readonly bytes: Buffer
  readonly tcp: boolean
  /** The source port. */
  readonly port: number
  send(bytes: Buffer): void
  /** Sends from another port, or from another address with the same port. */
  sendFromElsewhere(what: 'port' | 'address', bytes: Buffer): void
  /** Set for a query over TCP. */
  readonly connection: TcpSocket | undefined
}

export type NameServer = {
  readonly address: ServerAddress
  /** All queries received, in order. */
  readonly asked: Incoming[]
}

/** A scripted name server on loopback, UDP and TCP on one port, stopped after the test. */
export async function serveDns(
  t: TestContext,
  react: (incoming: Incoming) => void,
  ip = '127.0.0.1',
): Promise<NameServer> {
  const { udp, tcp, port } = await openBoth(ip)
  const strangers: Socket[] = []
  const connections = new Set<TcpSocket>()
  const asked: Incoming[] = []
  const take = (incoming: Incoming) => {
    asked.push(incoming)
    react(incoming)
  }

  udp.on('message', (bytes, from) => {
    // An empty datagram only finds out whether something listens here.
    if (bytes.length === 0) return
    take({
      query: decodeMessage(bytes),
      bytes,
      tcp: false,
      port: from.port,
      connection: undefined,
      send: (answer) => udp.send(answer, from.port, from.address),
      sendFromElsewhere: (what, answer) => void sendFromElsewhere(what, answer, from),
    })
  })
  const sendFromElsewhere = async (what: 'port' | 'address', answer: Buffer, from: RemoteInfo) => {
    const stranger = createSocket('udp4')
    strangers.push(stranger)
    stranger.bind(what === 'port' ? 0 : port, what === 'port' ? ip : '127.0.0.2')
    await once(stranger, 'listening')
    stranger.send(answer, from.port, from.address)
  }

  tcp.on('connection', (connection) => {
    connections.add(connection.on('error', () => {}))
    connection.once('data', (frame: Buffer) => {
      const bytes = frame.subarray(2)
      const send = (answer: Buffer) => {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        connection.write(Buffer.concat([length, answer]))
      }
      const port = connection.remotePort ?? 0
      take({ query: decodeMessage(bytes), bytes, tcp: true, port, connection, send, sendFromElsewhere() {} })
    })
  })

  t.after(async () => {
    for (const socket of [udp, ...strangers]) socket.close()
    for (const connection of connections) connection.destroy()
    tcp.close()
    await once(tcp, 'close')
  })
  return { address: parseServerAddress(ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`), asked }
}

/** The system chooses the UDP port; retries if that port is taken for TCP. */
async function openBoth(ip: string): Promise<{ udp: Socket; tcp: Server; port: number }> {
  for (;;) {
    const udp = createSocket({ type: ip.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4 * 1024 * 1024 })
    udp.bind(0, ip)
    await once(udp, 'listening')
    const { port } = udp.address()
    const tcp = createServer().listen(port, ip)
    try {
      await once(tcp, 'listening')
      return { udp, tcp, port }
    } catch {
      udp.close()
    }
  }
}

/** An authoritative answer to the query. */
export const answerTo = ({ query }: Pick<Incoming, 'query'>, draft: DraftMessage = {}): Buffer =>
  encodeMessage({
    id: query.id,
    questions: query.questions,
    edns: query.edns,
    ...draft,
    flags: { response: true, authoritative: true, recursionDesired: query.flags.recursionDesired, ...draft.flags },
  })

export const ns = (name: string, ...hosts: string[]): DnsRecord[] =>
  hosts.map((host) => ({ name, ttl: 3600, type: 'NS', host }))

export const soa = (name: string, { ttl = 900, minimum = 900 } = {}): DnsRecord => ({
  name,
  ttl,
  type: 'SOA',
  primary: `ns.${name}`,
  mailbox: `hostmaster.${name}`,
  serial: 1,
  refresh: 2,
  retry: 3,
  expire: 4,
  minimum,
})

export const referral = (incoming: Incoming, zone: string, ...hosts: string[]): Buffer =>
  answerTo(incoming, { flags: { authoritative: false }, authority: ns(zone, ...hosts) })

export const nxdomain = (incoming: Incoming, zone: string): Buffer =>
  answerTo(incoming, { rcode: 3, authority: [soa(zone)] })

export const address = (name: string, ip = '192.0.2.7'): DnsRecord => ({ name, ttl: 60, type: 'A', address: ip })

type ClientOptions = Partial<Parameters<typeof createDnsClient>[0]>

/** A client with seeded randomness, closed after the test. */
export function clientFor(t: TestContext, options: ClientOptions = {}) {
  const client = createDnsClient({ clock: systemClock, random: seededRandom(7), ...options })
  t.after(() => client.close())
  return client
}

/** A client with a manual clock: it retries and times out only when the test advances the clock. */
export function clientWithManualClock(t: TestContext, options: ClientOptions = {}) {
  const clock = manualClock()
  return { clock, client: clientFor(t, { ...options, clock }) }
}
