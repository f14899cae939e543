/**
 * Asks for something that costs money, and pays for it by MPP with dollars on Tempo:
 *
 *   node examples/pay-mpp.ts URL [--rpc URL]
 *
 * `--rpc` is a node of Tempo: the wallet asks it what a transaction costs. Without it the public one is asked, and in
 * simulated mode the one the service names. The key comes from PRIVATE_KEY; without it the wallet everybody knows is
 * used, which has money in simulated mode only.
 */
import { parseArgs } from 'node:util'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { formatUnits } from 'viem/utils'

/** The first account of every development chain. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** All dollars on Tempo have as many. */
const DECIMALS = 6
/** The client pays whatever it is asked for, so what is too much is for us to say. */
const MOST = 1_000_000n

export type Purchase = {
  readonly url: string
  readonly key: Hex
  readonly rpc?: string | undefined
  readonly tell?: (line: string) => void
}

/** Gives the answer that was paid for. */
export async function payByMpp({ url, key, rpc, tell = console.log }: Purchase): Promise<unknown> {
  let response = await fetch(url)
  if (response.status === 402) {
    const account = privateKeyToAccount(key)
    const node = rpc ?? simulatedNode(response)
    const getClient = () => createClient({ chain: tempoChain, transport: http(node) })
    const mppx = Mppx.create({ polyfill: false, methods: [tempo.charge({ account, getClient })] })
    const payment = await mppx.preparePayment(response)
    const { amount, recipient } = payment.challenge.request as { amount: string; recipient: Hex }
    tell(`402: it costs $${formatUnits(BigInt(amount), DECIMALS)}, to be paid to ${recipient}`)
    if (BigInt(amount) > MOST) throw new Error('that is too much')
    tell(`signing with ${account.address}`)
    response = await fetch(url, payment.setCredential({}, await payment.createCredential()))
  }
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status}: ${(answer as { message?: string }).message}`)
  const isPaid = response.headers.has('Payment-Receipt')
  tell(isPaid ? `receipt: ${JSON.stringify(Receipt.fromResponse(response))}` : 'it is free')
  tell(`answer: ${JSON.stringify(answer)}`)
  return answer
}

/** Where play money is kept; undefined where the money is real. */
const simulatedNode = ({ headers }: Response): string | undefined =>
  headers.get('X-Payments-Mode') === 'simulated' ? (headers.get('X-Payments-Rpc') ?? undefined) : undefined

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { rpc: { type: 'string' } } })
  const [url] = positionals
  if (url === undefined) {
    console.error('Pay for what? node examples/pay-mpp.ts URL [--rpc URL]')
    process.exit(2)
  }
  try {
    await payByMpp({ url, key: (process.env['PRIVATE_KEY'] ?? SANDBOX_KEY) as Hex, rpc: values.rpc })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
