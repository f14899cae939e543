import { connect, type Socket } from 'node:net'
import type { Bound } from './bound.ts'
import { refusedWith503 } from './bound.ts'
import { ask, inParallel, openStream } from './client.ts'

export type { Bound } from './bound.ts'

const clientOf = (at: number): string => `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`
const listOf = (count: number, name: (at: number) => string): string =>
  JSON.stringify({ domains: Array.from({ length: count }, (_, at) => name(at)) })

/** Every client that was seen is remembered for a minute. */
const rateLimitClients: Bound = {
  name: 'rate-limit',
  statedMb: 40,
  async fill({ url, metricsUrl }) {
    const COUNT = 110_000
    await inParallel(COUNT, 64, (at) => ask(`${url}/v1/register?domain=example.com`, { client: clientOf(at) }))
    const { status } = await ask(`${url}/v1/register?domain=example.com`, { client: clientOf(0) })
    const { body } = await ask(metricsUrl)
    return {
      filled: `${/^onoma_rate_limit_clients (\d+)/m.exec(body)?.[1]} clients`,
      above: { expected: 'the oldest client is forgotten', saw: String(status), met: status === 200 },
    }
  },
}

/** Lists that wait for their rate limit hold their names for minutes. */
const bulkStreams: Bound = {
  name: 'bulk-streams',
  statedMb: 200,
  env: { ONOMA_RATE_LIMIT: '1' },
  async fill({ url }) {
    const NAMES = 10_000
    const streams: { status: number; retryAfter: string | undefined; end(): void }[] = []
    const refused: typeof streams = []
    for (let at = 0; refused.length === 0 && at < 2_100; at++) {
      const body = listOf(NAMES, (of) => `taken-bounds-${at}-${of}.com`)
      const stream = await openStream(`${url}/v1/check/bulk`, { client: clientOf(at), body })
      ;(stream.status === 200 ? streams : refused).push(stream)
    }
    return {
      filled: `${streams.length} lists of ${NAMES} names`,
      above: refusedWith503(refused[0] ?? { status: 200, retryAfter: undefined }),
      release: () => streams.forEach((stream) => stream.end()),
    }
  },
}

const verdictCache: Bound = {
  name: 'verdicts',
  statedMb: 32,
  env: { ONOMA_RATE_LIMIT: '65535' },
  async fill({ url }) {
    const LISTS = 5
    for (let list = 0; list < LISTS; list++) {
      await ask(`${url}/v1/check/bulk`, { body: listOf(5_000, (at) => `taken-bounds-${list}-${at}.com`) })
    }
    const { body } = await ask(`${url}/health`)
    const kept = (JSON.parse(body) as { cacheStats: { size: number } }).cacheStats.size
    return {
      filled: `${LISTS * 5_000} names`,
      above: { expected: 'the oldest are forgotten', saw: `${kept} kept`, met: kept === 20_000 },
    }
  },
}

/** Each holds a socket, a parser and the beginning of a request. */
const connections: Bound = {
  name: 'connections',
  statedMb: 80,
  async fill({ url }) {
    const COUNT = 10_000
    const { hostname: host, port } = new URL(url)
    const sockets: Socket[] = []
    const open = (at: number): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connect({ host, port: Number(port), localAddress: `127.0.8.${1 + (at % 60)}` })
        socket.on('error', () => {}).once('close', () => resolve(socket))
        socket.once('connect', () => socket.write('GET /v1/tlds HTTP/1.1\r\nHost: x\r\n', () => resolve(socket)))
      })
    await inParallel(COUNT, 100, async (at) => void sockets.push(await open(at)))
    const oneMore = await open(0)
    const isClosed = await new Promise<boolean>((resolve) => {
      if (oneMore.destroyed) return resolve(true)
      oneMore.once('close', () => resolve(true))
      setTimeout(() => resolve(oneMore.destroyed), 5_000)
    })
    return {
      filled: `${sockets.filter((socket) => !socket.destroyed).length} connections`,
      above: { expected: 'one more is closed', saw: isClosed ? 'closed' : 'open', met: isClosed },
      release: () => [...sockets, oneMore].forEach((socket) => socket.destroy()),
    }
  },
}

/** Name servers and registries are slow, so every request stays under way, and its lookup with it. */
const requests: Bound = {
  name: 'requests',
  statedMb: 70,
  internet: { latencyMs: 9_000 },
  env: { ONOMA_RATE_LIMIT: '65535' },
  async fill({ url }) {
    const COUNT = 2_400
    const answers = Array.from({ length: COUNT }, (_, at) =>
      ask(`${url}/v1/check?domain=free-bounds-${at}.com`, { client: clientOf(at), agent: false }),
    )
    const refused = await Promise.any(
      answers.map(async (answer) => {
        const { status, retryAfter } = await answer
        if (status !== 503) throw new Error(String(status))
        return { status, retryAfter }
      }),
    ).catch(() => ({ status: 200, retryAfter: undefined }))
    return {
      filled: '2000 checks',
      above: refusedWith503(refused),
      release: async () => void (await Promise.allSettled(answers)),
    }
  },
}

/** As many names as are looked up at once, of clients that ask for the largest list without a stream. */
const lookups: Bound = {
  name: 'lookups',
  statedMb: 210,
  internet: { latencyMs: 9_000 },
  env: { ONOMA_RATE_LIMIT: '65535' },
  async fill({ url }) {
    const NAMES = 20
    const checks = Array.from({ length: 600 }, (_, check) => {
      const domains = Array.from({ length: NAMES }, (_, at) => `free-bounds-${check}-${at}.com`)
      return ask(`${url}/v1/check?domain=${domains.join(',')}`, { client: clientOf(check), agent: false })
    })
    const refused = await Promise.any(
      checks.map(async (check) => {
        const { status, retryAfter } = await check
        if (status !== 503) throw new Error(String(status))
        return { status, retryAfter }
      }),
    ).catch(() => ({ status: 200, retryAfter: undefined }))
    return {
      filled: '10000 names',
      above: refusedWith503(refused),
      release: async () => void (await Promise.allSettled(checks)),
    }
  },
}

export const BOUNDS: readonly Bound[] = [rateLimitClients, connections, bulkStreams, verdictCache, requests, lookups]
