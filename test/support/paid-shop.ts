import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { type Context, endpoint, type Route } from '../../src/kernel/endpoint.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Paywall } from '../../src/kernel/paywall.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { createMemoryRateLimiter } from '../../src/kernel/rate-limit.ts'
import { createUpstream } from '../../src/kernel/upstream/client.ts'
import type { CreditStore } from '../../src/payments/credit.ts'
import { creditRoutes } from '../../src/payments/credit-routes.ts'
import { createGate } from '../../src/payments/gate.ts'
import type { Ledger } from '../../src/payments/ledger.ts'
import { priceOf } from '../../src/payments/prices.ts'
import type { Hex, Scheme } from '../../src/payments/scheme.ts'
import { createMpp, TEMPO_CHAIN_ID } from '../../src/payments/sources/mpp/scheme.ts'
import type { GasCap } from '../../src/payments/sources/x402/fees.ts'
import { meterGas } from '../../src/payments/sources/x402/gas-meter.ts'
import { createKeySettler, type KeySettlerNeeds } from '../../src/payments/sources/x402/key-settler.ts'
import { createLedgerTag } from '../../src/payments/sources/x402/ledger-tag.ts'
import { BASE, BASE_USDC } from '../../src/payments/sources/x402/network.ts'
import { priceTransactions } from '../../src/payments/sources/x402/transaction-costs.ts'
import { paymentKey } from '../../src/payments/sources/x402/transfer.ts'
import { createX402 } from '../../src/payments/sources/x402/x402.ts'
import { createEthereumRpc } from '../../src/protocols/ethereum/rpc.ts'
import { createDoor } from '../../src/surfaces/http/door.ts'
import { listen } from '../../src/surfaces/http/listener.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import type { Reply } from './door.ts'

const shared = {
  capability: { name: 'test', description: 'For tests.' },
  method: 'GET',
  description: 'For tests.',
  errors: [],
  rate: 'counted',
  tool: true,
} as const

/** Something to sell, at two prices. */
const goods = endpoint({
  ...shared,
  name: 'goods',
  path: '/v1/goods/{item}',
  summary: 'Buy a thing',
  input: z.object({
    item: z.string().max(40).meta({ description: 'Which.' }),
    tier: z.enum(['quick', 'full']).default('quick').meta({ description: 'How well.' }),
  }),
  output: z.object({ item: z.string(), tier: z.string(), serial: z.number() }),
  price: { by: 'tier', usd: { quick: '0.02', full: '0.08' } },
  example: { input: { item: 'a' }, output: { item: 'a', tier: 'quick', serial: 1 } },
})

/** Something else, which costs as much as the cheaper of the two. */
const services = endpoint({ ...goods, name: 'services', path: '/v1/services/{item}', summary: 'Have a thing done' })

/** The two prices, in millionths of a dollar. */
export const QUICK = 20_000n
export const FULL = 80_000n
export const PAY_TO: Hex = '0x1111111111111111111111111111111111111111'

/** The defaults of the settings. */
export const GAS_CAP: GasCap = { maxShare: 0.25, maxEtherUsd: 5000 }

export type Work = (input: { item: string; tier: string }, context: Context) => unknown

export type ShopOptions = {
  readonly urls: { readonly base: string; readonly tempo: string }
  readonly ledger: Ledger
  /** Also sells credit. */
  readonly credits?: CreditStore
  readonly clock: Clock
  readonly payTo?: Hex
  readonly publicUrl?: string
  readonly secret?: string
  readonly gasCap?: GasCap
  readonly ledgerId?: string
  /** In place of the prices of the endpoints. */
  readonly priceOf?: typeof priceOf
  /** Pays for gas. */
  readonly key?: Hex
  readonly rateLimit?: number
  /** Milliseconds for one question to a node, and for a transaction to get into a block. */
  readonly nodeMs?: number
  readonly confirmTimeoutMs?: number
  readonly workTimeoutMs?: number
  /** Milliseconds between two looks at what somebody else is working on. */
  readonly waitMs?: number
  /** Lays hands on a scheme. */
  readonly wrap?: (scheme: Scheme) => Scheme
}

export type Shop = Awaited<ReturnType<typeof openShop>>

/** A door that sells one thing for both kinds of money: everything but the composition is what the service runs. */
export async function openShop(options: ShopOptions) {
  const { urls, ledger, clock, payTo = PAY_TO, publicUrl = 'https://shop.example', nodeMs = 8000 } = options
  const { key = `0x${Buffer.from(secureRandom.bytes(32)).toString('hex')}`, wrap = (scheme) => scheme } = options
  const lines: string[] = []
  const log = createLog('trace', { write: (line) => void lines.push(line) })
  const upstream = createUpstream({
    name: 'payments',
    userAgent: 'onoma-test',
    clock: systemClock,
    timeoutMs: nodeMs,
    maxBytes: 1_000_000,
    connections: 64,
    maxQueue: 2000,
    allow: (address) => address === '127.0.0.1',
  })
  const node = { upstream, clock: systemClock, log, timeoutMs: nodeMs, cooldownMs: 1 }
  const sender = privateKeyToAccount(key).address
  const base = meterGas(
    createEthereumRpc({ ...node, urls: [urls.base], chainId: BASE.chainId }),
    sender,
    (wei, hash) => void ledger.spent(hash, wei).catch(() => {}),
  )
  const tempo = createEthereumRpc({ ...node, urls: [urls.tempo], chainId: TEMPO_CHAIN_ID })
  const onBase = { rpc: base, network: BASE, token: BASE_USDC }
  const ledgerTag = createLedgerTag(ledger.id)
  const onReplacing: KeySettlerNeeds['onReplacing'] = (transfer, transaction) =>
    ledger.resending(paymentKey(BASE, BASE_USDC, transfer), transaction)
  const settler = createKeySettler({
    ...onBase,
    key,
    gasCap: options.gasCap ?? GAS_CAP,
    clock,
    log,
    ledgerTag,
    onReplacing,
  })
  const { confirmTimeoutMs = 10_000, waitMs = 20, workTimeoutMs } = options
  const soon = async (_ms: number, signal: AbortSignal) => sleep(waitMs, undefined, { signal })
  const realm = new URL(publicUrl).host
  const secrets = [options.secret ?? 'the secret of this shop, and of no other one']
  const schemes = [
    createX402({ ...onBase, secrets, payTo, clock, settler, ledgerTag, confirmTimeoutMs, pollIntervalMs: 2 }),
    createMpp({
      realm,
      secrets,
      ledgerId: options.ledgerId ?? 'first',
      recipient: payTo,
      rpc: tempo,
      clock,
      wait: soon,
    }),
  ].map(wrap)
  const { credits } = options
  const gate = createGate({
    schemes,
    ledger,
    credit: credits && { credits, secrets },
    clock,
    random: secureRandom,
    log,
    wait: soon,
    ...(workTimeoutMs !== undefined && { workTimeoutMs }),
  })
  /** What was worked on, in this order. */
  const runs: string[] = []
  let work: Work = ({ item, tier }) => ({ item, tier, serial: runs.length })
  const calls: { readonly signal: AbortSignal; readonly done: Promise<unknown> }[] = []
  let ready: () => unknown = () => {}
  const run: Route['run'] = (input, context) => {
    const asked = input as { item: string; tier: string }
    runs.push(asked.item)
    return work(asked, context)
  }
  const things = [goods, services].map((endpoint): Route => ({
    endpoint,
    async prepare(input) {
      await ready()
      return (context) => run(input, context)
    },
    run,
    wrap: { status: (body) => (body as { status?: number }).status ?? 200 },
  }))
  const routes = credits ? [...things, ...creditRoutes(() => credits)] : things
  const paywall: Paywall = {
    ...gate,
    serve(request, prepare) {
      const answer = gate.serve(request, prepare)
      calls.push({ signal: request.signal, done: answer.catch(() => {}) })
      return answer
    },
  }
  const door = createDoor({
    routes,
    mounts: [mcpMount(routes, { version: '0.0.0', host: '127.0.0.1', publicUrl, log })],
    limiter: createMemoryRateLimiter({ quota: options.rateLimit ?? 60_000, clock, maxClients: 100 }),
    isTrustedProxy: () => false,
    clock,
    random: secureRandom,
    log,
    metrics: { answered() {} },
    checkout: { paywall, priceOf: options.priceOf ?? priceOf, publicUrl, headers: [] },
  })
  const listener = await listen(door, { host: '127.0.0.1', port: 0, log, metrics: { refusedConnection() {} } })
  const agent = new Agent({ connections: 200 })
  const url = `http://127.0.0.1:${listener.port}`
  return {
    url,
    port: listener.port,
    gate,
    schemes,
    /** Looks up what our transactions cost, as the service does once a minute. */
    priceTransactions: () => priceTransactions({ rpc: base, ledger, clock }, new AbortController().signal),
    runs,
    /** Every request that came to the gate: whether its caller has gone away, and when the gate is done with it. */
    calls,
    /** What was logged, every level. */
    lines,
    get: (path: string, headers: Record<string, string> = {}, more: Asking = {}) =>
      ask(url + path, headers, { dispatcher: agent, ...more }),
    onWork(next: Work) {
      work = next
    },
    onReady(next: () => unknown) {
      ready = next
    },
    async stop() {
      await agent.destroy()
      await listener.stop({ lingerMs: 0, graceMs: 50 })
      await upstream.close()
    },
  }
}

type Asking = {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly body?: string
  readonly signal?: AbortSignal
  readonly dispatcher?: Agent
}

export async function ask(url: string, headers: Record<string, string>, more: Asking = {}): Promise<Reply> {
  const answer = await request(url, { headers, method: 'GET', ...more })
  const text = await answer.body.text()
  const received = new Headers()
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const line of [value].flat()) if (line !== undefined) received.append(name, line)
  }
  return { status: answer.statusCode, headers: received, text, body: text === '' ? undefined : JSON.parse(text) }
}
