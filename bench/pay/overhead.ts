import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Child, Children } from '../children.ts'
import { median } from '../speed.ts'
import { table } from '../table.ts'
import type { Verdict } from '../verdicts.ts'
import { startLiveServer } from './live.ts'
import type { Protocol } from './payer.ts'
import type { SigningPayerReply, SigningPayerRequest, SigningPayerSetUp } from './signing-payer.ts'

export type OverheadPlan = {
  readonly wallets: number
  readonly rounds: number
  /** Per round and protocol. */
  readonly payments: number
  readonly freeRequests: number
  readonly warmUpPayments: number
}

/** CPU time of one request in the process of the service, in milliseconds, by round. */
export type Overhead = {
  readonly freeMs: readonly number[]
  readonly paidMs: Readonly<Record<Protocol, readonly number[]>>
}

const PROTOCOLS: readonly Protocol[] = ['x402', 'mpp']
const TIMEOUT_MS = 120_000
const MAX_OVERHEAD_MS = 1.5
/** Payments signed before they are sent: one by MPP is valid for less than half a minute. */
const BATCH = 40

/**
 * What a payment itself costs the service: parsing, signatures, calls of the nodes, ledger on disk. Payments are signed
 * before, and chains and wallets are in other processes.
 */
export async function measureOverhead(
  children: Children,
  plan: OverheadPlan,
  { profile, showProgress }: { readonly profile: string | undefined; showProgress(what: string): void },
): Promise<Overhead> {
  const keys = Array.from({ length: plan.wallets }, generatePrivateKey)
  const { server, url, stop } = await startLiveServer(children, { wallets: keys.map(privateKeyToAddress), profile })
  const setUp: SigningPayerSetUp = { url, keys }
  const payer = children.start(new URL('signing-payer.ts', import.meta.url), { args: [JSON.stringify(setUp)] })
  const ask = async (request: SigningPayerRequest) => {
    const { failed } = await payer.ask<SigningPayerReply>(request, TIMEOUT_MS)
    if (failed !== undefined) throw new Error(failed)
  }
  const pay = async (protocol: Protocol, payments: number): Promise<number> => {
    let cpuMs = 0
    for (let left = payments; left > 0; left -= BATCH) {
      const count = Math.min(left, BATCH)
      await ask({ ask: 'sign', protocol, payments: count })
      cpuMs += count * (await cpuMsOf(server, count, () => ask({ ask: 'send' })))
    }
    return cpuMs / payments
  }
  const askFree = (requests: number) => cpuMsOf(server, requests, () => ask({ ask: 'free', requests }))

  showProgress('overhead of a payment, warming up')
  for (const protocol of PROTOCOLS) await pay(protocol, plan.warmUpPayments)
  await askFree(plan.freeRequests)
  const freeMs: number[] = []
  const paidMs: Record<Protocol, number[]> = { x402: [], mpp: [] }
  for (let round = 1; round <= plan.rounds; round++) {
    showProgress(`overhead of a payment, round ${round} of ${plan.rounds}`)
    freeMs.push(await askFree(plan.freeRequests))
    for (const protocol of PROTOCOLS) paidMs[protocol].push(await pay(protocol, plan.payments))
  }
  await Promise.all([stop(), payer.stop()])
  return { freeMs, paidMs }
}

async function cpuMsOf(server: Child, requests: number, run: () => Promise<void>): Promise<number> {
  const before = await server.usage()
  await run()
  return ((await server.usage()).cpuMicros - before.cpuMicros) / 1000 / requests
}

/** The median of the rounds, each minus the free requests of the same round. */
export const overheadMs = ({ freeMs, paidMs }: Overhead, protocol: Protocol): number =>
  median(paidMs[protocol].map((paid, round) => paid - freeMs[round]!))

export function overheadReport(overhead: Overhead): string {
  const rows = PROTOCOLS.map((protocol) => [
    protocol,
    median(overhead.paidMs[protocol]).toFixed(2),
    median(overhead.freeMs).toFixed(2),
    overheadMs(overhead, protocol).toFixed(2),
  ])
  return [
    'CPU time of the service for one request; payments signed before, chains and wallets in other processes:',
    table([['paid by', 'paid ms', 'free ms', 'overhead ms'], ...rows], 1),
  ].join('\n')
}

export const judgeOverhead = (overhead: Overhead): Verdict[] =>
  PROTOCOLS.map((protocol) => ({
    target: `a request paid by ${protocol} takes at most ${MAX_OVERHEAD_MS} ms more CPU time than the same one free`,
    measured: `${overheadMs(overhead, protocol).toFixed(2)} ms`,
    met: overheadMs(overhead, protocol) <= MAX_OVERHEAD_MS,
  }))
