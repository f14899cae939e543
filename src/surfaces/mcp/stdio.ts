import type { Readable, Writable } from 'node:stream'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Route } from '../../kernel/endpoint.ts'
import { type Call, mcpServerFactory, type ServerOptions } from './server.ts'

export type StdioOptions = ServerOptions & {
  readonly call: Call
  readonly stdin: Readable
  /** Carries the protocol and nothing else. */
  readonly stdout: Writable
}

/** Serves the tools over stdin and stdout. Resolves when the client closes stdin. */
export function mcpOverStdio(routes: readonly Route[], options: StdioOptions): Promise<void> {
  const serverFor = mcpServerFactory(routes, options)
  const transport = new StdioServerTransport(options.stdin, options.stdout)
  serveStdio(() => serverFor(options.call), { transport, onerror: options.onerror })
  return new Promise((resolve) => {
    const closed = transport.onclose
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no other way to say it is closed
    transport.onclose = () => {
      closed?.()
      resolve()
    }
  })
}
