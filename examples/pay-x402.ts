/**
 * Asks for something that costs money, and pays for it by x402 with USDC on Base:
 *
 *   node examples/pay-x402.ts URL
 *
 * The key comes from PRIVATE_KEY; without it the wallet everybody knows is used, which has money in simulated mode only.
 */
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { formatUnits } from 'viem/utils'

/** The first account of every development chain. */
const SANDBOX_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BASE = 'eip155:8453'
const USDC_DECIMALS = 6

export type Purchase = {
  readonly url: string
  readonly key: Hex
  readonly tell?: (line: string) => void
}

/** Gives the answer that was paid for. */
export async function payByX402({ url, key, tell = console.log }: Purchase): Promise<unknown> {
  const account = privateKeyToAccount(key)
  // Of itself the client pays a dollar at most, and in tokens it knows; `setSpendControls` changes that.
  const client = new x402Client()
    .register(BASE, new ExactEvmScheme(account))
    .onBeforePaymentCreation(async ({ selectedRequirements: { amount, payTo } }) => {
      tell(`402: it costs $${formatUnits(BigInt(amount), USDC_DECIMALS)}, to be paid to ${payTo}`)
      tell(`signing with ${account.address}`)
    })
  // Asks, signs what the 402 asks for, and asks again with the payment.
  const response = await wrapFetchWithPayment(fetch, client)(url)
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${response.status}: ${(answer as { message?: string }).message}`)
  const receipt = response.headers.get('PAYMENT-RESPONSE')
  tell(receipt === null ? 'it is free' : `receipt: ${JSON.stringify(decodePaymentResponseHeader(receipt))}`)
  tell(`answer: ${JSON.stringify(answer)}`)
  return answer
}

if (import.meta.main) {
  const [url] = process.argv.slice(2)
  if (url === undefined) {
    console.error('Pay for what? node examples/pay-x402.ts URL')
    process.exit(2)
  }
  try {
    await payByX402({ url, key: (process.env['PRIVATE_KEY'] ?? SANDBOX_KEY) as Hex })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
