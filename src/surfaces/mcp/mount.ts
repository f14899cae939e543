import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Route } from '../../kernel/endpoint.ts'
import type { Log } from '../../kernel/log.ts'
import type { GuardOptions } from './guard.ts'
import type { McpHandler, Quota } from './http.ts'
import type { Call } from './server.ts'

export type MountOptions = GuardOptions & { readonly version: string; readonly log: Log }

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly id: string }

/**
 * The tools at `/mcp` of the HTTP door, which rate-limits and measures every call. The SDK, 10 MB of memory, is loaded at the
 * first request.
 */
export function mcpMount(routes: readonly Route[], { log, ...options }: MountOptions) {
  let handler: Promise<McpHandler> | undefined
  const load = async (): Promise<McpHandler> =>
    (await import('./http.ts')).mcpHandler(routes, {
      ...options,
      onerror: (error) => log.error({ error }, 'A request at /mcp failed.'),
      onrefused: (error) => log.debug({ reason: error.message }, 'A request at /mcp was refused.'),
    })
  return {
    name: 'mcp',
    // Without sessions there is no stream to GET and nothing to DELETE: the door answers 405.
    methods: ['POST'],
    path: '/mcp' as const,
    rate: 'own' as const,
    async handle({ request, response, id }: Exchange, call: Call, quota: Quota): Promise<void> {
      response.setHeader('X-Request-Id', id)
      response.setHeader('X-Content-Type-Options', 'nosniff')
      response.setHeader('Cache-Control', 'no-store')
      // The guard checks the Origin; a page that passes it may read the answer.
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id')
      const handle = await (handler ??= load())
      await handle(request, response, call, quota)
    },
  }
}
