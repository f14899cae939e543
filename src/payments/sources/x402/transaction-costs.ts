import type { Clock } from '../../../kernel/clock.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall } from '../../../protocols/ethereum/rpc.ts'
import type { Ledger, UnpricedTransaction } from '../../ledger.ts'
import { failNode, resultOf } from './chain.ts'
import { parseCost } from './gas-meter.ts'

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly ledger: Pick<Ledger, 'unpriced' | 'spent'>
  readonly clock: Pick<Clock, 'now'>
}

const BATCH_SIZE = 50
const MAX_NONCE = 2n ** 48n
/** A node may know a block and not yet its receipts: a transaction counts as replaced only after this time. */
const REPLACED_AFTER_MS = 10 * 60_000

/**
 * Looks up what our transactions have cost whose receipt nobody has waited for: replaced ones, and those of a process that
 * has ended. Of several with one nonce one is mined; the others cost nothing.
 */
export async function priceTransactions({ rpc, ledger, clock }: Needs, signal: AbortSignal): Promise<void> {
  const open = await ledger.unpriced(BATCH_SIZE)
  if (open.length === 0) return
  const senders = [...new Set(open.map(({ sender }) => sender))]
  const calls: RpcCall[] = [
    ...open.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    ...senders.map((sender) => ({ method: 'eth_getTransactionCount', params: [sender, 'latest'] })),
  ]
  const { costs, counts } = await rpc.ask(calls, {
    signal,
    read: (outcomes) => ({
      costs: open.map((_, at) => parseCost(resultOf(outcomes[at]))),
      counts: senders.map(
        (_, at) =>
          parseQuantity(resultOf(outcomes[open.length + at]), MAX_NONCE) ??
          failNode('its transaction count is invalid'),
      ),
    }),
  })
  const isReplaced = ({ sender, nonce, sentAt }: UnpricedTransaction): boolean =>
    counts[senders.indexOf(sender)]! > BigInt(nonce) && clock.now() > sentAt + REPLACED_AFTER_MS
  for (const [at, transaction] of open.entries()) {
    const wei = costs[at]?.wei ?? (isReplaced(transaction) ? 0n : undefined)
    if (wei !== undefined) await ledger.spent(transaction.hash, wei)
  }
}
