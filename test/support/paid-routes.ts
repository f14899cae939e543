import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { manualClock, systemClock } from '../../src/kernel/clock.ts'
import type { Route } from '../../src/kernel/endpoint.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { createMemoryRateLimiter } from '../../src/kernel/rate-limit.ts'
import { createUpstream } from '../../src/kernel/upstream/client.ts'
import type { CreditStore } from '../../src/payments/credit.ts'
import { createGate } from '../../src/payments/gate.ts'
import { priceOf } from '../../src/payments/prices.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import { createMpp, TEMPO_CHAIN_ID } from '../../src/payments/sources/mpp/scheme.ts'
import { createKeySettler } from '../../src/payments/sources/x402/key-settler.ts'
import { createLedgerTag } from '../../src/payments/sources/x402/ledger-tag.ts'
import { BASE, BASE_USDC } from '../../src/payments/sources/x402/network.ts'
import { createX402 } from '../../src/payments/sources/x402/x402.ts'
import { createEthereumRpc } from '../../src/protocols/ethereum/rpc.ts'
import { createDoor } from '../../src/surfaces/http/door.ts'
import type { Mount } from '../../src/surfaces/http/exchange.ts'
import { listen } from '../../src/surfaces/http/listener.ts'
import type { Reply } from './door.ts'
import { startPaidChains } from './paid-chains.ts'
import { GAS_CAP, PAY_TO } from './paid-shop.ts'
import { quiet as log } from './simulated-payments.ts'

/** A door that sells what these routes answer, for both kinds of money, and the chains that is on. */
export async function startPaidRoutes(
  routesOf: (clock: ReturnType<typeof manualClock>, credits: CreditStore) => readonly Route[],
  mounts: readonly Mount[] = [],
) {
  const clock = manualClock(Date.UTC(2026, 10, 15, 12))
  const chains = await startPaidChains(clock)
  const upstream = createUpstream({
    name: 'payments',
    userAgent: 'onoma-test',
    clock: systemClock,
    timeoutMs: 8000,
    maxBytes: 1_000_000,
    connections: 8,
    maxQueue: 100,
    allow: (address) => address === '127.0.0.1',
  })
  const node = { upstream, clock: systemClock, log, timeoutMs: 8000, cooldownMs: 1 }
  const base = createEthereumRpc({ ...node, urls: [chains.urls.base], chainId: BASE.chainId })
  const tempo = createEthereumRpc({ ...node, urls: [chains.urls.tempo], chainId: TEMPO_CHAIN_ID })
  const onBase = { rpc: base, network: BASE, token: BASE_USDC }
  const key = `0x${Buffer.from(secureRandom.bytes(32)).toString('hex')}` as const
  const ledger = memoryLedger({ clock })
  const ledgerTag = createLedgerTag(ledger.id)
  const settler = createKeySettler({ ...onBase, key, gasCap: GAS_CAP, clock, log, ledgerTag })
  const soon = async (_ms: number, signal: AbortSignal) => sleep(10, undefined, { signal })
  const publicUrl = 'https://shop.example'
  const secrets = ['the secret of this door, and of no other one']
  const schemes = [
    createX402({
      ...onBase,
      secrets,
      payTo: PAY_TO,
      clock,
      settler,
      ledgerTag,
      confirmTimeoutMs: 10_000,
      pollIntervalMs: 2,
    }),
    createMpp({
      realm: 'shop.example',
      secrets,
      ledgerId: 'test',
      recipient: PAY_TO,
      rpc: tempo,
      clock,
      wait: soon,
    }),
  ]
  const { credits } = ledger
  const credit = { credits, secrets }
  const gate = createGate({ schemes, ledger, credit, clock, random: secureRandom, log, wait: soon })
  const door = createDoor({
    routes: routesOf(clock, credits),
    mounts,
    limiter: createMemoryRateLimiter({ quota: 60_000, clock, maxClients: 100 }),
    isTrustedProxy: () => false,
    clock,
    random: secureRandom,
    log,
    metrics: { answered() {} },
    checkout: { paywall: gate, priceOf, publicUrl, headers: [] },
  })
  const listener = await listen(door, { host: '127.0.0.1', port: 0, log, metrics: { refusedConnection() {} } })
  const dispatcher = new Agent()
  const origin = `http://127.0.0.1:${listener.port}`

  async function ask(path: string, headers: Record<string, string>, body?: string): Promise<Reply> {
    const post = body === undefined ? {} : { method: 'POST', body }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await request(origin + path, { dispatcher, headers: { ...type, ...headers }, ...post })
    const text = await answer.body.text()
    const received = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const line of [value].flat()) if (line !== undefined) received.append(name, line)
    }
    return { status: answer.statusCode, headers: received, text, body: text === '' ? undefined : JSON.parse(text) }
  }

  return {
    url: origin,
    clock,
    chains,
    ledger,
    get: (path: string, headers: Record<string, string> = {}) => ask(path, headers),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      ask(path, headers, typeof body === 'string' ? body : JSON.stringify(body)),
    async stop() {
      await dispatcher.destroy()
      await listener.stop({ lingerMs: 0, graceMs: 50 })
      await upstream.close()
      await chains.stop()
    },
  }
}
