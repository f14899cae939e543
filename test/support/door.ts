import { Agent, request, type Dispatcher } from 'undici'
import { manualClock } from '../../src/kernel/clock.ts'
import { parseCidrs } from '../../src/kernel/addresses.ts'
import type { Route } from '../../src/kernel/endpoint.ts'
import type { Log } from '../../src/kernel/log.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { createMemoryRateLimiter, createUnlimitedRateLimiter } from '../../src/kernel/rate-limit.ts'
import { createDoor } from '../../src/surfaces/http/door.ts'
import type { Mount } from '../../src/surfaces/http/exchange.ts'
import { PICTURE_ADDRESS } from '../../src/surfaces/http/pictures.ts'
import type { Checkout } from '../../src/surfaces/http/paid.ts'
import { createConformity } from './conformity.ts'
import { listen, type ListenerLimits } from '../../src/surfaces/http/listener.ts'

export type DoorOptions = {
  trustedProxies?: string[]
  rateLimit?: number | 'off'
  /** None by default. */
  documentRateLimit?: number
  maxRequests?: number
  mounts?: Mount[]
  limits?: Partial<ListenerLimits>
  host?: string
  port?: number
  checkout?: Checkout
  refusalWait?: (ms: number) => Promise<void>
}

export type Reply = { status: number; headers: Headers; body: unknown; text: string }

export type LogLine = { level: string; facts: Record<string, unknown>; sentence: string }

/** Starts a real server on a free loopback port, with a clock that the test controls. */
export async function startDoor(routes: readonly Route[], options: DoorOptions = {}) {
  const clock = manualClock()
  const lines: LogLine[] = []
  const answered: { endpoint: string; door: string; status: number }[] = []
  const { rateLimit = 60_000 } = options
  const limiter =
    rateLimit === 'off'
      ? createUnlimitedRateLimiter()
      : createMemoryRateLimiter({ quota: rateLimit, clock, maxClients: 1000 })
  const log = recordingLog(lines)
  const isTrustedProxy = parseCidrs(options.trustedProxies ?? [])
  const door = createDoor({
    routes,
    mounts: options.mounts ?? [],
    limiter,
    maxRequests: options.maxRequests,
    documentLimiter:
      options.documentRateLimit === undefined
        ? undefined
        : createMemoryRateLimiter({ quota: options.documentRateLimit, clock, maxClients: 1000 }),
    isTrustedProxy,
    publicUrl: () => 'https://names.example',
    clock,
    random: secureRandom,
    log,
    checkout: options.checkout,
    wait: options.refusalWait,
    metrics: { answered: (endpoint, door, status) => answered.push({ endpoint, door, status }) },
  })
  const refused: string[] = []
  const listener = await listen(door, {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    log,
    isTrustedProxy,
    metrics: { refusedConnection: (reason) => refused.push(reason) },
    ...(options.limits && { limits: options.limits }),
  })
  // Endpoints that exist only in tests need no OpenAPI document.
  const isReal = routes.every(({ endpoint }) => endpoint.capability.name !== 'test')
  const info = { rateLimit: rateLimit === 'off' ? null : rateLimit, files: [PICTURE_ADDRESS] }
  const conformity = isReal ? createConformity(routes, info) : undefined
  const agent = new Agent()
  const url = `http://127.0.0.1:${listener.port}`
  return {
    url,
    port: listener.port,
    clock,
    /** Log lines, counted responses and refused connections so far. */
    lines,
    answered,
    refused,
    async get(
      path: string,
      init?: Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & { method?: string },
    ): Promise<Reply> {
      const reply = await send(agent, url, path, init)
      conformity?.check({ path, method: init?.method }, reply)
      return reply
    },
    stopListener: listener.stop,
    async stop() {
      await agent.destroy()
      await listener.stop({ lingerMs: 0, graceMs: 100 })
    },
  }
}

async function send(agent: Agent, url: string, path: string, init: object = {}): Promise<Reply> {
  const response = await request(url + path, { dispatcher: agent, method: 'GET', ...init })
  const text = await response.body.text()
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    for (const line of [value].flat()) if (line !== undefined) headers.append(name, line)
  }
  return { status: response.statusCode, headers, text, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function recordingLog(lines: LogLine[]): Log {
  const at = (level: string) => (facts: Readonly<Record<string, unknown>>, sentence: string) =>
    void lines.push({ level, facts: { ...facts }, sentence })
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}
