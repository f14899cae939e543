import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket as TcpSocket } from 'node:net'
import type { TestContext } from 'node:test'
import { manualClock, systemClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { createDnsClient } from './client.ts'
import { decodeMessage } from './decode.ts'
import { type Draft, encodeMessage } from './encode.ts'
import type { DnsMessage, DnsRecord } from './message.ts'
import { parseServerAddress, type ServerAddress } from './server-address.ts'

/** What came in, and every way to misbehave with it. */
export type Incoming = {
  readonly query: DnsMessage
  readonly bytes: Buffer
  readonly tcp: boolean
  /** The port it came from. */
  readonly port: number
  send(bytes: Buffer): void
  /** Sends from a port, or an address with the same port, that was not asked. */
  sendFromElsewhere(what: 'port' | 'address', bytes: Buffer): void
  /** The connection of a question over TCP. */
  readonly connection: TcpSocket | undefined
}

export type NameServer = {
  readonly address: ServerAddress
  /** Everything it was asked, in order. */
  readonly asked: Incoming[]
}

/** A name server on loopback, over UDP and TCP on one port, that does what the test makes it do. Gone with the test. */
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

/** The system chooses the port for UDP; should somebody have it for TCP, another is tried. */
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

/** An answer to a query, as a server responsible for the zone gives it. */
export const answerTo = ({ query }: Pick<Incoming, 'query'>, draft: Draft = {}): Buffer =>
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

/** A client that is closed with the test. Chance is the same every time. */
export function clientFor(t: TestContext, options: ClientOptions = {}) {
  const client = createDnsClient({ clock: systemClock, random: seededRandom(7), ...options })
  t.after(() => client.close())
  return client
}

/** A client whose time stands still until the test moves it: nothing is resent, nothing times out by itself. */
export function clientInStandingTime(t: TestContext, options: ClientOptions = {}) {
  const clock = manualClock()
  return { clock, client: clientFor(t, { ...options, clock }) }
}
