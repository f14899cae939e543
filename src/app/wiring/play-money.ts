import { once } from 'node:events'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createMetrics } from '../../kernel/metrics.ts'
import type { Hex } from '../../payments/scheme.ts'
import { listen, type Listener } from '../../surfaces/http/listener.ts'

/** Two simulated chains in this process, served as JSON-RPC nodes on loopback, and a wallet funded on both. */
export type SimulatedMoney = {
  readonly baseUrl: string
  readonly tempoUrl: string
  readonly wallet: TestWallet
  stop(): Promise<void>
}

export type TestWallet = { readonly address: Hex; readonly privateKey: Hex }

/** The first account of every development chain. Its key is public, so it holds no real money. */
const WALLET: TestWallet = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
}
type SimulatedChain = { handle(body: string): Promise<string>; fund(account: Hex, amount: bigint): void }
type Handle = Parameters<typeof listen>[0]['handle']
type Request = Parameters<Handle>[0]

/** 1,000 dollars with six decimals. */
const WALLET_BALANCE = 1_000_000_000n
const LOOPBACK = '127.0.0.1'
const MAX_BODY_BYTES = 256 * 1024

type Needs = { readonly usdc: Hex; readonly tempoToken: Hex; readonly clock: Clock; readonly log: Log }

export async function startSimulatedMoney({ usdc, tempoToken, clock, log }: Needs): Promise<SimulatedMoney> {
  const metrics = createMetrics()
  const serve = (open: () => Promise<SimulatedChain>): Promise<Listener> => {
    let chain: Promise<SimulatedChain> | undefined
    // At the first request, because their cryptography takes longer to load than the rest of a start.
    const load = () => (chain ??= open().then((opened) => (opened.fund(WALLET.address, WALLET_BALANCE), opened)))
    return listen(
      { handle: (...exchange) => void respond(load, ...exchange), drain() {} },
      { host: LOOPBACK, port: 0, log, metrics },
    )
  }
  const [baseNode, tempoNode] = await Promise.all([
    serve(async () => (await import('../../payments/play-money/base.ts')).createSimulatedBase({ clock, usdc })),
    serve(async () =>
      (await import('../../payments/play-money/tempo.ts')).createSimulatedTempo({ clock, token: tempoToken }),
    ),
  ])
  const urlOf = ({ port }: Listener) => `http://${LOOPBACK}:${port}`
  return {
    baseUrl: urlOf(baseNode),
    tempoUrl: urlOf(tempoNode),
    wallet: WALLET,
    async stop() {
      await Promise.all([baseNode, tempoNode].map((node) => node.stop({ lingerMs: 0, graceMs: 0 })))
    },
  }
}

async function respond(load: () => Promise<SimulatedChain>, ...[request, response]: Parameters<Handle>): Promise<void> {
  const body = await readBody(request)
  if (body === undefined) response.writeHead(413).end()
  else response.writeHead(200, { 'content-type': 'application/json' }).end(await (await load()).handle(body))
}

async function readBody(request: Request): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  request.on('data', (part: Buffer) => {
    size += part.length
    if (size <= MAX_BODY_BYTES) parts.push(part)
  })
  await Promise.race([once(request, 'end'), once(request, 'close')])
  return size <= MAX_BODY_BYTES ? Buffer.concat(parts).toString('utf8') : undefined
}
