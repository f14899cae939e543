/**
 * Both simulated chains in a process of their own, as nodes are. Started with the addresses of wallets to fund; prints the
 * URLs of the nodes.
 */
import { systemClock } from '../../src/kernel/clock.ts'
import { startPaidChains } from '../../test/support/paid-chains.ts'

export type NodeUrls = { readonly base: string; readonly tempo: string }

/** A million dollars, with six decimals. */
const BALANCE = 10n ** 12n

const chains = await startPaidChains(systemClock)
for (const address of process.argv.slice(2)) {
  chains.base.fund(address, BALANCE)
  chains.tempo.fund(address, BALANCE)
}
// The service refuses real payments at a node that calls itself simulated.
chains.onLine(({ method }, ask) => (method === 'web3_clientVersion' ? 'tempo/v1' : ask()))
process.stdout.write(`${JSON.stringify({ urls: chains.urls satisfies NodeUrls })}\n`)
process.once('SIGTERM', () => process.exit(0))
