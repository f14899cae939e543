import type { TestContext } from 'node:test'
import { createLog } from '../../kernel/log.ts'
import type { UpstreamOptions } from '../../kernel/upstream/client.ts'
import { upstreamFor } from '../../kernel/upstream/loopback.fixture.ts'
import { createEthereumRpc } from './rpc.ts'

type Options = Partial<Parameters<typeof createEthereumRpc>[0]>

/** A client of these URLs with a manual clock, and the lines it logs. */
export function rpcFor(
  t: TestContext,
  urls: readonly string[],
  options: Options = {},
  upstream: Partial<UpstreamOptions> = {},
) {
  const { request: ask, clock } = upstreamFor(t, upstream)
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const rpc = createEthereumRpc({ upstream: { request: ask }, urls, chainId: 1, clock, log, ...options })
  return { ...rpc, clock, lines }
}
