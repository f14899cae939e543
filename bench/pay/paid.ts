import type { Children } from '../children.ts'
import { outgoing, PAID } from './contestants.ts'
import type { PayResult, PayRequest, PayerSetUp, Protocol } from './payer.ts'

export type PaidPlan = { readonly wallets: number; readonly payments: number }

/** Figures of paid requests; chains and wallets are simulated on the same machine. */
export type Sold = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time per payment of the service, which includes both chains, and of the wallets. */
  readonly serviceMs: number
  readonly walletMs: number
  /** Requests from the service to its nodes, per payment. */
  readonly outgoing: number
}

const PROTOCOLS: readonly Protocol[] = ['x402', 'mpp']
const TIMEOUT_MS = 120_000

export async function measurePaid(
  children: Children,
  { wallets, payments }: PaidPlan,
  showProgress: (what: string) => void,
): Promise<Record<Protocol, Sold>> {
  const counting = ['--import', new URL('outgoing.ts', import.meta.url).href]
  const service = children.start(new URL('service.ts', import.meta.url), { nodeOptions: counting })
  const { url, tempoUrl, key } = (await service.line('url')) as PayerSetUp
  const setUp: PayerSetUp = { url: `${url}${new URL(PAID, url).pathname}`, tempoUrl, key }
  const payer = children.start(new URL('payer.ts', import.meta.url), { args: [JSON.stringify(setUp)] })
  const snapshot = async () => ({
    micros: (await service.usage()).cpuMicros,
    asked: await outgoing({ child: service }),
  })
  const sell = async (protocol: Protocol, count: number): Promise<Sold> => {
    const before = await snapshot()
    const answer = await payer.ask<PayResult>(
      { ask: 'pay', protocol, wallets, payments: count } satisfies PayRequest,
      TIMEOUT_MS,
    )
    if ('failed' in answer) throw new Error(answer.failed)
    const after = await snapshot()
    const { seconds, p50Ms, p99Ms, cpuMicros } = answer
    return {
      perSecond: count / seconds,
      p50Ms,
      p99Ms,
      serviceMs: (after.micros - before.micros) / 1000 / count,
      walletMs: cpuMicros / 1000 / count,
      outgoing: (after.asked - before.asked) / count,
    }
  }
  const sold: Partial<Record<Protocol, Sold>> = {}
  for (const protocol of PROTOCOLS) {
    showProgress(`paying by ${protocol}`)
    await sell(protocol, Math.ceil(payments / 4))
    sold[protocol] = await sell(protocol, payments)
  }
  await Promise.all([service.stop(), payer.stop()])
  return sold as Record<Protocol, Sold>
}
