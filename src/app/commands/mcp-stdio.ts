import { ERRORS } from '../../kernel/errors.ts'
import { asApiError, errorBody } from '../../kernel/error-response.ts'
import { parseInput } from '../../kernel/input.ts'
import { createLog, type Log, stdoutDestination } from '../../kernel/log.ts'
import { unlimited } from '../../kernel/rate-limit.ts'
import { type Random, secureRandom } from '../../kernel/random.ts'
import type { Call } from '../../surfaces/mcp/server.ts'
import { mcpOverStdio } from '../../surfaces/mcp/stdio.ts'
import { composeRoutes } from '../compose.ts'
import type { Config } from '../settings/config.ts'
import { version } from '../version.ts'

const STDERR = 2

/** `onoma mcp`: the tools for one agent on this machine. Standard output carries the protocol, so logs go to standard error. */
export async function serveMcpOverStdio(config: Config): Promise<void> {
  const destination = stdoutDestination(STDERR)
  const log = createLog(config.logLevel, destination)
  const capabilities = composeRoutes(config)
  try {
    await mcpOverStdio(capabilities.routes, {
      version,
      call: unlimitedCall({ log, random: secureRandom }),
      stdin: process.stdin,
      stdout: process.stdout,
      onerror: (error) => log.warn({ error }, 'The MCP connection failed.'),
    })
  } finally {
    await capabilities.close()
    destination.flushSync()
  }
}

/** Calls a route without a rate limit: there is only one client. */
function unlimitedCall({ log, random }: { log: Log; random: Random }): Call {
  return async (route, raw, signal) => {
    const { endpoint } = route
    const requestId = random.uuid()
    try {
      return {
        ok: true,
        body: await route.run(parseInput(endpoint, raw), { signal, requestId, client: 'stdio', spend: unlimited }),
      }
    } catch (thrown) {
      const error = asApiError(thrown, endpoint, ERRORS.internal_error.meaning)
      if (error.status >= 500) {
        log.error(
          { request: requestId, endpoint: endpoint.name, code: error.code, error: error.cause ?? error },
          'A tool call failed.',
        )
      }
      return { ok: false, error: errorBody(error) }
    }
  }
}
