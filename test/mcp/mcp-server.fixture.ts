import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod'
import { endpoint, type Route, route } from '../../src/kernel/endpoint.ts'
import { unlimited } from '../../src/kernel/rate-limit.ts'
import { ApiError, UpstreamError } from '../../src/kernel/errors.ts'
import { parseInput } from '../../src/kernel/input.ts'
import { mcpHandler, type McpOptions } from '../../src/surfaces/mcp/http.ts'
import type { Call } from '../../src/surfaces/mcp/server.ts'

/** Lets a test observe a call that never returns: when it starts and when it is aborted. */
export type Observer = { started: PromiseWithResolvers<AbortSignal>; aborted: PromiseWithResolvers<void> }

const name = z
  .string()
  .max(63)
  .meta({ description: 'The name to look at.', examples: ['example'] })

const about = {
  capability: { name: 'synthetic', description: 'For tests.' },
  method: 'GET',
  description: 'Made up for the tests.',
  errors: [],
  rate: 'counted',
  tool: true,
} as const

const lookUp = endpoint({
  ...about,
  name: 'lookUp',
  path: '/v1/look-up/{name}',
  summary: 'Look a name up',
  input: z.object({
    name,
    depth: z.int().min(1).max(9).default(1).meta({ description: 'How far to look.' }),
    kind: z
      .enum(['wide', 'narrow'])
      .optional()
      .meta({ description: 'How to look.', examples: ['wide'] }),
  }),
  output: z.object({
    name: z.string().meta({ description: 'The name.' }),
    depth: z.int().meta({ description: 'How far it looked.' }),
    note: z.string().optional().meta({ description: 'Something said in passing.' }),
    at: z.iso.datetime().meta({ description: 'When.' }),
  }),
  complaints: { name: { missing: 'missing_domain', invalid: 'invalid_name' } },
  errors: ['missing_domain', 'invalid_name'],
  example: { input: { name: 'example' }, output: { name: 'example', depth: 1, at: '2026-11-15T00:00:00Z' } },
})

const Small = z.object({ small: z.boolean().meta({ description: 'Yes.' }) }).meta({ id: 'SyntheticSmall' })
const Large = z
  .object({ large: z.array(Small).meta({ description: 'Many.' }) })
  .meta({ id: 'SyntheticLarge', description: 'The large shape.' })
const Choice = z.enum(['small', 'large']).meta({ id: 'SyntheticChoice' })

const chooseShape = endpoint({
  ...about,
  name: 'chooseShape',
  path: '/v1/shape',
  summary: 'Answer in one of two shapes',
  input: z.object({ shape: Choice.meta({ description: 'Which shape.' }) }),
  output: z.union([Small, Large]),
  example: { input: { shape: 'small' }, output: { small: true } },
})

const prepare = endpoint({
  ...about,
  name: 'prepare',
  method: 'POST',
  path: '/v1/prepare',
  summary: 'Prepare something outside',
  input: z.object({ name }),
  output: z.object({ prepared: z.string().meta({ description: 'What.' }) }),
  failsAs: { code: 'check_failed', status: 500 },
  price: { by: 'tier', usd: { quick: '0.02', full: '0.08' } },
  example: { input: { name: 'example' }, output: { prepared: 'example' } },
})

const breakDown = endpoint({
  ...about,
  name: 'breakDown',
  path: '/v1/break-down',
  summary: 'Break down inside',
  input: z.object({}),
  output: z.object({ never: z.string().meta({ description: 'Never.' }) }),
  example: { input: {}, output: { never: '' } },
})

const wait = endpoint({
  ...about,
  name: 'wait',
  path: '/v1/wait',
  summary: 'Wait until the caller goes away',
  input: z.object({}),
  output: z.object({ never: z.string().meta({ description: 'Never.' }) }),
  example: { input: {}, output: { never: '' } },
})

const { tool: _about, ...withoutTool } = about

const health = endpoint({
  ...withoutTool,
  name: 'health',
  path: '/health',
  summary: 'Say that all is well',
  rate: 'free',
  input: z.object({}),
  output: z.object({ status: z.string().meta({ description: 'ok' }) }),
  example: { input: {}, output: { status: 'ok' } },
})

const { tool: _tool, ...lookUpWithoutTool } = lookUp

const legacyLookUp = endpoint({
  ...lookUpWithoutTool,
  name: 'legacyLookUp',
  path: '/look-up',
  deprecated: { since: '2026-01-01', successor: '/v1/look-up' },
})

export const SECRET = 'postgres://user:hunter2@10.0.0.7/names'

export const createObserver = (): Observer => ({ started: Promise.withResolvers(), aborted: Promise.withResolvers() })

export const syntheticRoutes = ({ started, aborted }: Observer = createObserver()): Route[] => [
  route(lookUp, ({ name, depth }) => ({ name, depth, note: undefined, at: '2026-11-15T00:00:00Z' }), {
    status: ({ name }) => (name === 'nobody' ? 501 : 200),
  }),
  route(legacyLookUp, ({ name, depth }) => ({ name, depth, at: '2026-11-15T00:00:00Z' })),
  route(chooseShape, ({ shape }) => (shape === 'small' ? { small: true } : { large: [{ small: true }] })),
  route(prepare, ({ name }) => {
    if (name === 'down') throw new UpstreamError('timeout', `no answer from ${SECRET}`)
    return { prepared: name }
  }),
  route(breakDown, () => {
    throw new Error(`cannot reach ${SECRET}`)
  }),
  route(wait, (_, { signal }) => {
    started.resolve(signal)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        aborted.resolve()
        reject(signal.reason as Error)
      })
    })
  }),
  route(health, () => ({ status: 'ok' })),
]

/** A minimal version of the door's `Call`: validates the input and counts calls up to a limit. */
export function createCall({ limit = Infinity }: { limit?: number } = {}): Call {
  let count = 0
  return async (route, raw, signal) => {
    try {
      count += 1
      if (count > limit) throw new ApiError('rate_limit_exceeded', 'Too many requests; retry in 7 s.')
      return {
        ok: true,
        body: await route.run(parseInput(route.endpoint, raw), {
          signal,
          requestId: 'test',
          client: 'test',
          spend: unlimited,
        }),
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { ok: false, error: { error: error.code, message: error.message } }
    }
  }
}

export type McpServer = { readonly url: URL; readonly errors: unknown[]; close(): Promise<void> }

/** Serves the tools over HTTP on loopback, at /mcp. */
export async function startMcpServer(
  routes: readonly Route[],
  { call = createCall(), ...options }: Partial<McpOptions> & { call?: Call } = {},
): Promise<McpServer> {
  const errors: unknown[] = []
  const handle = mcpHandler(routes, {
    version: '0.3.0',
    host: '127.0.0.1',
    publicUrl: 'https://names.example/',
    onerror: (error) => errors.push(error),
    ...options,
  })
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    handle(request, response, call).catch((error: unknown) => errors.push(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), errors, close: () => stop(server) }
}

function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
