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
  /** Delay of every answer, that of the registry. */
  latencyMs(registry: string): number
  /** Aborted when the simulator stops. */
  readonly stopping: AbortSignal
}

const COOKIE = '5f3c1b7a9d2e4c6f8a0b'

/** The availability services of all registries that have one: the settings that name them, and how to stop them. */
export async function serveAvailability(needs: Needs): Promise<{
  readonly servers: Readonly<Record<string, string>>
  stop(): Promise<void>
}> {
  const { seed, wait, onQuery, latencyMs, stopping } = needs
  const running: Server[] = []
  const servers: Record<string, string> = {}
  for (const [registry, { transport }] of DAS_SERVICES) {
    const truth = (name: string): Truth | null => truthIn(registry, name, seed)
    const count = async (): Promise<void> => {
      onQuery(registry)
      const ms = latencyMs(registry)
      if (ms > 0) await wait(ms, stopping)
    }
    const answer = async (name: string): Promise<string> => {
      await count()
      const found = truth(name)
      return found === null ? 'Invalid name.\r\n' : dasText(registry, found)
    }
    const serve = (): Promise<Server> => {
      switch (transport) {
        case 'tcp':
          return serveWhois({
            wait,
            respond: async (line) => ({ outcome: OK, text: await answer(nameIn(line, registry)) }),
          })
        case 'http':
          return serveFree(answer, wait)
        case 'isavail':
          return serveUdp(async (query) => {
            await count()
            return Buffer.from(isavailText(query.toString('latin1'), COOKIE, truth))
          })
        case 'dchk':
          return serveUdp(async (query) => {
            await count()
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

async function serveFree(answer: (name: string) => Promise<string>, wait: Wait): Promise<Server> {
  const respond = async (url: URL) => textAnswer(await answer((url.searchParams.get('q') ?? '').toLowerCase()))
  const server = await serveHttp(async ({ url }) => ({ outcome: OK, answer: await respond(url) }), { wait })
  return { address: new URL(server.url).host, stop: server.stop }
}

async function serveUdp(respond: (query: Buffer) => Promise<Buffer | null>): Promise<Server> {
  const socket = createSocket('udp4')
  let isOpen = true
  socket.on('message', (query, { port, address }) => {
    const send = (reply: Buffer | null) => void (reply && isOpen && socket.send(reply, port, address))
    // Rejects only when the simulator stops.
    respond(query).then(send, () => {})
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async stop() {
      isOpen = false
      socket.close()
      await once(socket, 'close')
    },
  }
}
