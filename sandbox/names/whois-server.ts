import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Outcome } from '../outcome.ts'
import type { Wait } from '../simulator.ts'

/** The outcome to play, and the text it is played with. */
export type ScriptedWhoisAnswer = { readonly outcome: Outcome; readonly text: string }

export type WhoisServer = { /** `127.0.0.1:PORT` */ readonly address: string; stop(): Promise<void> }

type Needs = {
  readonly wait: Wait
  /** Called once per connection, with the query line. */
  respond(query: string, signal: AbortSignal): Promise<ScriptedWhoisAnswer>
}

const LOOPBACK = '127.0.0.1'
const MAX_QUERY_LENGTH = 512
const DRIP_BYTES = 16

/** A WHOIS server on a free loopback port: it receives one line, sends one text and closes the connection. */
export async function serveWhois({ wait, respond }: Needs): Promise<WhoisServer> {
  const connections = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection)
    const gone = new AbortController()
    connection.on('error', () => {})
    connection.once('close', () => {
      connections.delete(connection)
      gone.abort()
    })
    const answer = async (line: string): Promise<void> => {
      const { outcome, text } = await respond(line, gone.signal)
      await playWhois(outcome, text, connection, (ms) => wait(ms, gone.signal))
    }
    let received = ''
    const hear = (chunk: Buffer) => {
      received += chunk.toString('latin1')
      const end = received.indexOf('\n')
      if (end < 0 && received.length <= MAX_QUERY_LENGTH) return
      connection.off('data', hear).resume()
      answer(received.slice(0, end < 0 ? MAX_QUERY_LENGTH : end).trim()).catch(() => connection.destroy())
    }
    connection.on('data', hear)
    // Close a connection that ends without a query.
    connection.once('end', () => void (received.includes('\n') || connection.destroy()))
  })
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  return {
    address: `${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const connection of connections) connection.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** For outcomes that WHOIS expresses in words (`throttled`, `denied`, `broken`, `redirect`) `text` is already that message. */
async function playWhois(
  outcome: Outcome,
  text: string,
  connection: Socket,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const half = text.slice(0, Math.floor(text.length / 2))
  switch (outcome.kind) {
    case 'ok':
    case 'throttled':
    case 'denied':
    case 'broken':
    case 'redirect':
      connection.end(text)
      return
    case 'foreign':
      connection.end('<!doctype html><html><head><title>Welcome to our network</title></head></html>\n')
      return
    case 'slow':
      await wait(outcome.ms)
      connection.end(text)
      return
    case 'drip':
      return pipeline(Readable.from(drip(text, () => wait(outcome.ms))), connection)
    case 'hang':
      return
    case 'down':
      connection.end()
      return
    case 'half':
      connection.end(half)
      return
    case 'cut':
      // Half the text has to arrive before the connection breaks.
      connection.write(half, () => setImmediate(() => connection.resetAndDestroy()))
      return
    case 'reset':
      connection.resetAndDestroy()
      return
    case 'huge':
      return pipeline(Readable.from(endless(outcome.bytes)), connection)
  }
}

async function* drip(text: string, pause: () => Promise<void>): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += DRIP_BYTES) {
    yield text.slice(at, at + DRIP_BYTES)
    await pause()
  }
}

function* endless(bytes: number): Generator<string> {
  const remarks = '% There is always more to say.\r\n'.repeat(2048)
  for (let sent = 0; sent < bytes; sent += remarks.length) yield remarks
}
