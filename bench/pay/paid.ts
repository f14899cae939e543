import type { Children } from '../children.ts'
import { outgoing, PAID } from './contestants.ts'
import type { PayerAnswer, PayerQuestion, PayerSetUp, Protocol } from './payer.ts'

export type PaidPlan = { readonly wallets: number; readonly payments: number }

/** What it takes to sell an answer, chains and wallets simulated on the same machine. */
export type Sold = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of the service, which is also both chains, and of the wallets; milliseconds for each payment. */
  readonly serviceMs: number
  readonly walletMs: number
  /** Requests of the service to its nodes, for each payment. */
  readonly outgoing: number
}

const PROTOCOLS: readonly Protocol[] = ['x402', 'mpp']
const TIMEOUT_MS = 120_000

export async function measurePaid(
  children: Children,
  { wallets, payments }: PaidPlan,
  tell: (what: string) => void,
): Promise<Record<Protocol, Sold>> {
  const counting = ['--import', new URL('outgoing.ts', import.meta.url).href]
  const till = children.start(new URL('till.ts', import.meta.url), { nodeOptions: counting })
  const { url, tempoUrl, key } = (await till.line('url')) as PayerSetUp
  const setUp: PayerSetUp = { url: `${url}${new URL(PAID, url).pathname}`, tempoUrl, key }
  const payer = children.start(new URL('payer.ts', import.meta.url), { args: [JSON.stringify(setUp)] })
  const look = async () => ({ micros: (await till.usage()).cpuMicros, asked: await outgoing({ child: till }) })
  const sell = async (protocol: Protocol, count: number): Promise<Sold> => {
    const before = await look()
    const answer = await payer.ask<PayerAnswer>(
      { ask: 'pay', protocol, wallets, payments: count } satisfies PayerQuestion,
      TIMEOUT_MS,
    )
    if ('failed' in answer) throw new Error(answer.failed)
    const after = await look()
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
    tell(`paying by ${protocol}`)
    await sell(protocol, Math.ceil(payments / 4))
    sold[protocol] = await sell(protocol, payments)
  }
  await Promise.all([till.stop(), payer.stop()])
  return sold as Record<Protocol, Sold>
}
