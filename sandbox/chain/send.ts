import { type Hex, numberToHex } from 'viem'
import type { Rpc } from './node.ts'

type Transaction = { readonly from: Hex; readonly to: Hex; readonly data?: Hex; readonly value?: bigint }

/** Sends a transaction from one of the node's accounts. Throws the reason if it reverts. */
export async function send(rpc: Rpc, { from, to, data = '0x', value = 0n }: Transaction): Promise<void> {
  const transaction = { from, to, data, value: numberToHex(value) }
  const hash = await rpc('eth_sendTransaction', [transaction])
  const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { readonly status: Hex }
  if (receipt.status === '0x1') return
  // A call with the same data throws the reason of the revert.
  await rpc('eth_call', [transaction, 'latest'])
  throw new Error(`A transaction to ${to} failed, but a call with the same data succeeds.`)
}
