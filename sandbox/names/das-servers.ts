import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { DAS_SERVICES } from '../../src/protocols/whois43/das/services.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { serveHttp } from '../http-server.ts'
import { OK } from '../outcome.ts'
import { textAnswer } from '../play-http.ts'
import type { Wait } from '../simulator.ts'
import { dasText, dchkReply, isavailText } from './das-text.ts'
import { type Truth, truthOf } from './truth.ts'
import { serveWhois } from './whois-server.ts'

type Server = { readonly address: string; stop(): Promise<void> }
type Needs = {
  readonly seed: number
  readonly wait: Wait
  /** Called for every query. */
  onQuery(registry: string): void
}

const COOKIE = '5f3c1b7a9d2e4c6f8a0b'

/** The availability services of all registries that have one: the settings that name them, and how to stop them. */
export async function serveAvailability({ seed, wait, onQuery }: Needs): Promise<{
  readonly servers: Readonly<Record<string, string>>
  stop(): Promise<void>
}> {
  const running: Server[] = []
  const servers: Record<string, string> = {}
  for (const [registry, { transport }] of DAS_SERVICES) {
    const truth = (name: string): Truth | null => truthIn(registry, name, seed)
    const answer = (name: string): string => {
      onQuery(registry)
      const found = truth(name)
      return found === null ? 'Invalid name.\r\n' : dasText(registry, found)
    }
    const serve = (): Promise<Server> => {
      switch (transport) {
        case 'tcp':
          return serveWhois({ wait, respond: async (line) => ({ outcome: OK, text: answer(nameIn(line, registry)) }) })
        case 'http':
          return serveFree((name) => answer(name), wait)
        case 'isavail':
          return serveUdp((query) => {
            onQuery(registry)
            return Buffer.from(isavailText(query.toString('latin1'), COOKIE, truth))
          })
        case 'dchk':
          return serveUdp((query) => {
            onQuery(registry)
            return dchkReply(query, truth)
          })
      }
    }
    const server = await serve()
    running.push(server)
    servers[`${registry}:das`] = server.address
  }
  return {
    servers,
    async stop() {
      await Promise.all(running.map((server) => server.stop()))
    },
  }
}

/** `get 1.0 example` or the name alone; some services take it without its TLD. */
function nameIn(line: string, registry: string): string {
  const name = (line.split(' ').at(-1) ?? '').toLowerCase()
  return name.includes('.') ? name : `${name}.${registry}`
}

function truthIn(registry: string, name: string, seed: number): Truth | null {
  const [label = '', ...suffix] = name.split('.')
  const isOurs = loadCatalogue().find(suffix.join('.'))?.registry === registry
  return isOurs && /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label) ? truthOf(name, seed) : null
}

async function serveFree(answer: (name: string) => string, wait: Wait): Promise<Server> {
  const respond = (url: URL) => textAnswer(answer((url.searchParams.get('q') ?? '').toLowerCase()))
  const server = await serveHttp(({ url }) => ({ outcome: OK, answer: respond(url) }), { wait })
  return { address: new URL(server.url).host, stop: server.stop }
}

async function serveUdp(respond: (query: Buffer) => Buffer | null): Promise<Server> {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const reply = respond(query)
    if (reply) socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
