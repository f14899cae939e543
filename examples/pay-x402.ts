/**
 * Requests a paid endpoint and pays with x402, in USDC on Base:
 *
 *   node examples/pay-x402.ts URL
 *
 * The private key comes from PRIVATE_KEY. The default is a public test key, whose wallet has money only in simulated mode.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { formatUnits } from 'viem/utils'

/** The well-known private key of the first account on development chains. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BASE = 'eip155:8453'
const USDC_DECIMALS = 6

export type Purchase = {
  readonly url: string
  readonly key: Hex
  readonly print?: (line: string) => void
}

/** Returns the body of the paid response. */
export async function payByX402({ url, key, print = console.log }: Purchase): Promise<unknown> {
  const account = privateKeyToAccount(key)
  // By default the client pays at most one dollar, in tokens it knows; `setSpendControls` changes that.
  const client = new x402Client()
    .register(BASE, new ExactEvmScheme(account))
    .onBeforePaymentCreation(async ({ selectedRequirements: { amount, payTo } }) => {
      print(`402: the price is $${formatUnits(BigInt(amount), USDC_DECIMALS)}, payable to ${payTo}`)
      print(`signing with ${account.address}`)
    })
  // Sends the request, signs the payment that the 402 demands, and sends the request again with it.
  const response = await wrapFetchWithPayment(fetch, client)(url)
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status}: ${(answer as { message?: string }).message}`)
  const receipt = response.headers.get('PAYMENT-RESPONSE')
  print(receipt === null ? 'no payment was needed' : `receipt: ${JSON.stringify(decodePaymentResponseHeader(receipt))}`)
  print(`answer: ${JSON.stringify(answer)}`)
  return answer
}

if (import.meta.main) {
  const [url] = process.argv.slice(2)
  if (url === undefined) {
    console.error('usage: node examples/pay-x402.ts URL')
    process.exit(2)
  }
  try {
    await payByX402({ url, key: (process.env['PRIVATE_KEY'] ?? SANDBOX_KEY) as Hex })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
