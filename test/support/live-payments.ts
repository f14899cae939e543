import type { TestContext } from 'node:test'
import { inspect } from 'node:util'
import { privateKeyToAccount } from 'viem/accounts'
import { loadConfig } from '../../src/app/settings/config.ts'
import type { Outbound } from '../../src/app/wiring/outbound.ts'
import { openPayments, type Payments } from '../../src/app/wiring/payments.ts'
import { manualClock, systemClock } from '../../src/kernel/clock.ts'
import { route } from '../../src/kernel/endpoint.ts'
import { createMetrics } from '../../src/kernel/metrics.ts'
import { secureRandom } from '../../src/kernel/random.ts'
import { createUpstream } from '../../src/kernel/upstream/client.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { creditRoutes } from '../../src/payments/credit-routes.ts'
import { sleep } from '../../src/kernel/sleep.ts'
import { type Reply, startDoor } from './door.ts'
import { CUT, type Line, type PaidChains, startPaidChains } from './paid-chains.ts'
import { newWallet } from './paid-wallets.ts'

const PAY_TO = '0x52908400098527886E0F7030069857D2E4169EE7'
const NODES = { base: 'https://base.example', tempo: 'https://tempo.example' } as const

const KEYS = 'a secret that is long enough for the tests of payments'

type Options = {
  readonly folder: string
  readonly schemes?: readonly ('x402' | 'mpp')[]
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>
  /** A node of Base in place of the simulated one, and its time. */
  readonly baseUrl?: string
  readonly clock?: ReturnType<typeof manualClock>
  /** Takes over chains, keys and time of one that was closed. */
  readonly like?: LivePayments
  /** Of the service, separated by commas; the current one first. */
  readonly keys?: string
}

/** Payments in live mode, as the service opens them; only the way to the nodes leads to simulated chains. */
export async function startLivePayments(t: TestContext, options: Options) {
  const { folder, schemes = ['x402', 'mpp'], like, keys = KEYS, env = {}, baseUrl } = options
  const clock: ReturnType<typeof manualClock> = like?.clock ?? options.clock ?? manualClock(Date.UTC(2026, 10, 15, 12))
  const chains: PaidChains = like?.chains ?? (await startPaidChains(clock))
  const settlementKey: `0x${string}` = like?.settlementKey ?? newWallet().key
  const config = loadConfig({
    ONOMA_DATA_DIR: folder,
    ONOMA_KEYS: keys,
    ONOMA_PAY_TO: PAY_TO,
    ...(schemes.includes('x402') && {
      ONOMA_X402_RPC_URLS: NODES.base,
      ONOMA_X402_SETTLEMENT_KEY: settlementKey,
    }),
    ...(schemes.includes('mpp') && { ONOMA_MPP_RPC_URLS: NODES.tempo }),
    ...env,
  })
  const lines: string[] = []
  const say = (facts: object, sentence: string) => void lines.push(sentence, inspect(facts, { depth: 10 }))
  const log = { debug() {}, info: say, warn: say, error: say }
  const metrics = createMetrics()
  const outbound = outboundTo({ ...chains.urls, ...(baseUrl !== undefined && { base: baseUrl }) })
  const timers = createTimers()
  /** A real node does not call itself simulated. */
  const onLine = (line: Line = (_asked, ask) => ask()) =>
    chains.onLine((asked, ask) => (asked.method === 'web3_clientVersion' ? 'tempo/v1' : line(asked, ask)))
  onLine()
  let payments: Payments | undefined
  let door: Awaited<ReturnType<typeof startDoor>> | undefined
  const close = async () => {
    await door?.stop()
    await payments?.close()
    door = undefined
    payments = undefined
  }
  t.after(async () => {
    await close()
    if (!like) await chains.stop()
  })
  return {
    config,
    outbound,
    chains,
    clock,
    settlementKey,
    /** Address of the settlement key. */
    settler: privateKeyToAccount(settlementKey).address,
    lines,
    metrics,
    onLine,
    cut(): never {
      throw CUT
    },
    async open() {
      const needs = { config, clock, random: secureRandom, log, metrics, wait: timers.wait }
      payments = await openPayments({ ...needs, outbound })
      const checkout = payments.checkout('https://shop.example')!
      const echo = route(paidEcho, ({ say }) => ({ said: say, at: '2026-11-15T12:00:00.000Z' }))
      door = await startDoor([echo, ...creditRoutes(payments.credits)], { checkout })
    },
    /** What the door has logged, with all facts. */
    doorLines: () => door!.lines.map((line) => inspect(line, { depth: 10 })),
    post: (path: string, body: object, headers: Record<string, string> = {}) =>
      door!.get(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    waysToPay: (publicUrl: string) => payments!.waysToPay(publicUrl),
    get: (path: string, headers: Record<string, string> = {}) => door!.get(path, { headers }),
    /** A minute passes: whatever waits for less wakes up. */
    passTime() {
      clock.advance(60_000)
      timers.wakeUp()
    },
    /** The 402 with the price, if it is for sale. */
    async offer(path: string): Promise<Reply | undefined> {
      const reply = await door!.get(path)
      return reply.status === 402 ? reply : undefined
    },
    /** What is found in the end, while waits end at once: a check takes a moment. */
    async until<T>(find: () => Promise<T | undefined>): Promise<T> {
      for (let attempt = 0; attempt < 1_000; attempt++) {
        const found = await find()
        if (found !== undefined) return found
        await sleep(5)
        timers.wakeUp()
      }
      throw new Error('It was not found in the end.')
    },
    close,
  }
}

export type LivePayments = Awaited<ReturnType<typeof startLivePayments>>

/** Nodes of the settings are the simulated chains. */
function outboundTo(urls: PaidChains['urls']): Outbound {
  return {
    open() {
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
      const target = (url: string) => url.replace(NODES.base, urls.base).replace(NODES.tempo, urls.tempo)
      return { ...upstream, request: (request) => upstream.request({ ...request, url: target(String(request.url)) }) }
    },
    addressPolicy: () => ({}),
  }
}

/** Long waits end when the test says so; short ones by themselves. */
function createTimers() {
  const waiting = new Set<() => void>()
  const wait = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms < 1_000) return sleep(ms, signal)
    return new Promise((resolve, reject) => {
      // An event that is over does not come again.
      if (signal?.aborted) return reject(signal.reason)
      const end = () => {
        waiting.delete(end)
        if (signal?.aborted) reject(signal.reason)
        else resolve()
      }
      waiting.add(end)
      signal?.addEventListener('abort', end, { once: true })
    })
  }
  return { wait, wakeUp: () => [...waiting].forEach((end) => end()) }
}
