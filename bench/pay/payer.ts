/**
 * Concurrent wallets in their own process; each pays for one request after the other with the client library of a protocol.
 * Started with URLs and key as JSON.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Mppx, tempo } from 'mppx/client'
import { createClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { createHistogram } from '../load/histogram.ts'

export type Protocol = 'x402' | 'mpp'
export type PayerSetUp = { readonly url: string; readonly tempoUrl: string; readonly key: Hex }
export type PayRequest = {
  readonly ask: 'pay'
  readonly protocol: Protocol
  readonly wallets: number
  readonly payments: number
}
export type PayResult =
  | { readonly failed: string }
  | { readonly seconds: number; readonly p50Ms: number; readonly p99Ms: number; readonly cpuMicros: number }

const { url, tempoUrl, key } = JSON.parse(process.argv[2]!) as PayerSetUp
const account = privateKeyToAccount(key)
const client = createClient({ chain: tempoChain, transport: http(tempoUrl) })
const payers: Record<Protocol, (url: string) => Promise<Response>> = {
  x402: wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', new ExactEvmScheme(account))),
  mpp: Mppx.create({ polyfill: false, methods: [tempo.charge({ account, getClient: () => client })] }).fetch,
}
let asked = 0

process.on('message', (question: Partial<PayRequest>) => {
  if (question.ask !== 'pay') return
  pay(question as PayRequest).then(
    (answer) => process.send!(answer),
    (error: unknown) => process.send!({ failed: String(error) } satisfies PayResult),
  )
})
// The channel keeps this process alive between two requests.
process.channel!.ref()

async function pay({ protocol, wallets, payments }: PayRequest): Promise<PayResult> {
  const latencies = createHistogram()
  const [began, before] = [performance.now(), process.cpuUsage()]
  let left = payments
  const wallet = async () => {
    while (left-- > 0) {
      const sentAt = performance.now()
      const answer = await payers[protocol](`${url}?say=${asked++}`)
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(`A payment was answered with ${answer.status}: ${body}`)
      latencies.add(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: wallets }, wallet))
  const { user, system } = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1000
  return { seconds, p50Ms: latencies.quantile(0.5), p99Ms: latencies.quantile(0.99), cpuMicros: user + system }
}
