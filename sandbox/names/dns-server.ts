import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket as Connection } from 'node:net'
import { decodeMessage } from '../../src/protocols/dns/decode.ts'
import type { DraftMessage } from '../../src/protocols/dns/encode.ts'
import { CLASS_IN, type DnsMessage, type DnsQuestion, RCODES } from '../../src/protocols/dns/message.ts'
import type { Outcome } from '../outcome.ts'
import type { Wait } from '../simulator.ts'
import { messageFor, type Play, playDns } from './dns-play.ts'

export type DnsServer = { /** `127.0.0.1:PORT` */ readonly address: string; stop(): Promise<void> }

/** The outcome to play, the answer it is played with, and a delay. */
export type ScriptedDnsAnswer = { readonly outcome: Outcome; readonly draft: DraftMessage; readonly latencyMs: number }

type Needs = {
  readonly wait: Wait
  /** Called once for each valid query. */
  respond(question: DnsQuestion, query: DnsMessage): ScriptedDnsAnswer
  /** Whether the query reaches the server; false drops it. */
  hears(over: 'udp' | 'tcp'): boolean
}

const LOOPBACK = '127.0.0.1'
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
const DRIP_BYTES = 16

/** A name server over UDP and TCP on a free loopback port. */
export async function serveDns({ wait, respond, hears }: Needs): Promise<DnsServer> {
  const { udp, tcp, port } = await openBoth()
  const stopping = new AbortController()
  const connections = new Set<Connection>()

  const playFor = (bytes: Buffer, isTcp: boolean): Play | null => {
    const query = readQuery(bytes)
    if (query === null) return null
    const [question] = query.questions
    const stage = { query, bytes, isTcp }
    const refusal = refusalOf(query)
    if (refusal !== null || question === undefined) {
      return { delayMs: 0, action: { kind: 'send', message: messageFor({ rcode: refusal ?? RCODES.FORMERR }, stage) } }
    }
    const { outcome, draft, latencyMs } = respond(question, query)
    const { delayMs, action } = playDns(outcome, draft, stage)
    return { delayMs: delayMs + latencyMs, action }
  }

  /** Sleeps; rejects on abort. */
  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms > 0) await wait(ms, signal)
    signal.throwIfAborted()
  }

  udp.on('message', (bytes, from) => {
    if (!hears('udp')) return
    const play = playFor(bytes, false)
    if (play?.action.kind !== 'send') return
    const { message } = play.action
    const answer = () => udp.send(message, from.port, from.address, () => {})
    if (play.delayMs === 0) answer()
    else pause(play.delayMs, stopping.signal).then(answer, () => {})
  })

  tcp.on('connection', (connection) => {
    connections.add(connection)
    const gone = new AbortController()
    connection.on('error', () => {})
    connection.once('close', () => {
      connections.delete(connection)
      gone.abort()
    })
    let received = Buffer.alloc(0)
    connection.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      for (let end = endOfFrame(received); end !== null; end = endOfFrame(received)) {
        const bytes = received.subarray(2, end)
        received = received.subarray(end)
        if (!hears('tcp')) continue
        const play = playFor(bytes, true)
        if (play === null) connection.destroy()
        else perform(play, connection, (ms) => pause(ms, gone.signal)).catch(() => connection.destroy())
      }
    })
  })

  return {
    address: `${LOOPBACK}:${port}`,
    async stop() {
      stopping.abort()
      for (const connection of connections) connection.destroy()
      const closed = [once(udp, 'close'), once(tcp, 'close')]
      udp.close()
      tcp.close()
      await Promise.all(closed)
    },
  }
}

async function perform(
  { delayMs, action }: Play,
  connection: Connection,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  await pause(delayMs)
  switch (action.kind) {
    case 'silence':
      return
    case 'send':
      connection.write(framed(action.message))
      return
    case 'drip': {
      const frame = framed(action.message)
      for (let at = 0; at < frame.length; at += DRIP_BYTES) {
        await pause(action.ms)
        connection.write(frame.subarray(at, at + DRIP_BYTES))
      }
      return
    }
    case 'cut': {
      const frame = framed(action.message)
      connection.write(frame.subarray(0, Math.floor(frame.length / 2)), () => connection.destroySoon())
      return
    }
    case 'reset':
      connection.resetAndDestroy()
  }
}

/** Null if it is not a query. Responses are never answered, or two servers could answer each other for ever. */
function readQuery(bytes: Buffer): DnsMessage | null {
  try {
    const message = decodeMessage(bytes)
    return message.flags.response ? null : message
  } catch {
    return null
  }
}

function refusalOf({ opcode, questions }: DnsMessage): number | null {
  if (opcode !== 0) return RCODES.NOTIMP
  if (questions.length !== 1) return RCODES.FORMERR
  return questions[0]!.class === CLASS_IN ? null : RCODES.REFUSED
}

const endOfFrame = (received: Buffer): number | null => {
  const end = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0)
  return received.length >= end ? end : null
}

function framed(message: Buffer): Buffer {
  const frame = Buffer.alloc(2 + message.length)
  frame.writeUInt16BE(message.length)
  message.copy(frame, 2)
  return frame
}

/** Takes a free UDP port, and tries another one if the same port is in use for TCP. */
async function openBoth(): Promise<{ udp: Socket; tcp: Server; port: number }> {
  for (;;) {
    const udp = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES })
    udp.bind(0, LOOPBACK)
    await once(udp, 'listening')
    const { port } = udp.address()
    const tcp = createServer().listen(port, LOOPBACK)
    try {
      await once(tcp, 'listening')
      return { udp, tcp, port }
    } catch {
      udp.close()
    }
  }
}
