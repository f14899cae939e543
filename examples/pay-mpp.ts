/**
 * Requests a paid endpoint and pays with MPP, in US dollars on Tempo:
 *
 *   node examples/pay-mpp.ts URL [--rpc URL]
 *
 * `--rpc` is a Tempo node, from which the wallet gets the transaction fee. The default is the public node, or in simulated
 * mode the node that the service names. The private key comes from PRIVATE_KEY. The default is a public test key, whose
 * wallet has money only in simulated mode.
 */
import { parseArgs } from 'node:util'
import { Receipt } from 'mppx'
import { Mppx, tempo } from 'mppx/client'
import { createClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { tempo as tempoChain } from 'viem/tempo/chains'
import { formatUnits } from 'viem/utils'

/** The well-known private key of the first account on development chains. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
/** Of all dollar tokens on Tempo. */
const USD_DECIMALS = 6
/** One dollar, in millionths. The MPP client pays any price, so the limit is checked here. */
const MAX_PRICE_MICRO_USD = 1_000_000n

export type Purchase = {
  readonly url: string
  readonly key: Hex
  readonly rpc?: string | undefined
  readonly print?: (line: string) => void
}

/** Returns the body of the paid response. */
export async function payByMpp({ url, key, rpc, print = console.log }: Purchase): Promise<unknown> {
  let response = await fetch(url)
  if (response.status === 402) {
    const account = privateKeyToAccount(key)
    const node = rpc ?? simulatedNode(response)
    const getClient = () => createClient({ chain: tempoChain, transport: http(node) })
    const mppx = Mppx.create({ polyfill: false, methods: [tempo.charge({ account, getClient })] })
    const payment = await mppx.preparePayment(response)
    const { amount, recipient } = payment.challenge.request as { amount: string; recipient: Hex }
    print(`402: the price is $${formatUnits(BigInt(amount), USD_DECIMALS)}, payable to ${recipient}`)
    if (BigInt(amount) > MAX_PRICE_MICRO_USD) throw new Error('the price is over the limit of $1')
    print(`signing with ${account.address}`)
    response = await fetch(url, payment.setCredential({}, await payment.createCredential()))
  }
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status}: ${(answer as { message?: string }).message}`)
  const isPaid = response.headers.has('Payment-Receipt')
  print(isPaid ? `receipt: ${JSON.stringify(Receipt.fromResponse(response))}` : 'no payment was needed')
  print(`answer: ${JSON.stringify(answer)}`)
  return answer
}

/** The node of the simulated chain; undefined if payments are live. */
const simulatedNode = ({ headers }: Response): string | undefined =>
  headers.get('X-Payments-Mode') === 'simulated' ? (headers.get('X-Payments-Rpc') ?? undefined) : undefined

if (import.meta.main) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { rpc: { type: 'string' } } })
  const [url] = positionals
  if (url === undefined) {
    console.error('usage: node examples/pay-mpp.ts URL [--rpc URL]')
    process.exit(2)
  }
  try {
    await payByMpp({ url, key: (process.env['PRIVATE_KEY'] ?? SANDBOX_KEY) as Hex, rpc: values.rpc })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
