import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket as Connection } from 'node:net'
import { decodeMessage } from '../../src/protocols/dns/decode.ts'
import type { DraftMessage } from '../../src/protocols/dns/encode.ts'
import { CLASS_IN, type DnsMessage, type DnsQuestion, RCODES } from '../../src/protocols/dns/message.ts'
import type { Outcome } from '../outcome.ts'
import type { Wait } from '../simulator.ts'
import { encodeReply, type ScriptedReply, scriptReply } from './dns-reply.ts'

export type DnsServer = { /** `127.0.0.1:PORT` */ readonly address: string; stop(): Promise<void> }

/** The outcome to play, the answer it is played with, and a delay. */
export type ScriptedDnsAnswer = { readonly outcome: Outcome; readonly draft: DraftMessage; readonly latencyMs: number }

type Needs = {
  readonly wait: Wait
  /** Called once for each valid query. */
  respond(question: DnsQuestion, query: DnsMessage): ScriptedDnsAnswer
  /** False drops the query, as if it were lost. */
  accepts(over: 'udp' | 'tcp'): boolean
}

const LOOPBACK = '127.0.0.1'
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
const DRIP_BYTES = 16

/** A name server over UDP and TCP on a free loopback port. */
export async function serveDns({ wait, respond, accepts }: Needs): Promise<DnsServer> {
  const { udp, tcp, port } = await bindUdpAndTcp()
  const stopping = new AbortController()
  const connections = new Set<Connection>()

  const replyTo = (bytes: Buffer, isTcp: boolean): ScriptedReply | null => {
    const query = decodeQuery(bytes)
    if (query === null) return null
    const [question] = query.questions
    const received = { query, bytes, isTcp }
    const rcode = errorCodeFor(query)
    if (rcode !== null || question === undefined) {
      return {
        delayMs: 0,
        action: { kind: 'send', message: encodeReply({ rcode: rcode ?? RCODES.FORMERR }, received) },
      }
    }
    const { outcome, draft, latencyMs } = respond(question, query)
    const { delayMs, action } = scriptReply(outcome, draft, received)
    return { delayMs: delayMs + latencyMs, action }
  }

  /** Sleeps; rejects on abort. */
  const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms > 0) await wait(ms, signal)
    signal.throwIfAborted()
  }

  udp.on('message', (bytes, from) => {
    if (!accepts('udp')) return
    const reply = replyTo(bytes, false)
    if (reply?.action.kind !== 'send') return
    const { message } = reply.action
    const send = () => udp.send(message, from.port, from.address, () => {})
    if (reply.delayMs === 0) send()
    else pause(reply.delayMs, stopping.signal).then(send, () => {})
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
        if (!accepts('tcp')) continue
        const reply = replyTo(bytes, true)
        if (reply === null) connection.destroy()
        else sendOverTcp(reply, connection, (ms) => pause(ms, gone.signal)).catch(() => connection.destroy())
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

async function sendOverTcp(
  { delayMs, action }: ScriptedReply,
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
function decodeQuery(bytes: Buffer): DnsMessage | null {
  try {
    const message = decodeMessage(bytes)
    return message.flags.response ? null : message
  } catch {
    return null
  }
}

function errorCodeFor({ opcode, questions }: DnsMessage): number | null {
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
async function bindUdpAndTcp(): Promise<{ udp: Socket; tcp: Server; port: number }> {
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
