import type { Clock } from '../../../kernel/clock.ts'
import { withTimeout } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { sleep } from '../../../kernel/sleep.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, PaymentRefused, type Settlement } from '../../scheme.ts'
import { findAuthorizationUse } from './authorization-use.ts'
import type { Receipt, TokenChain } from './chain.ts'
import { parseLedgerTag } from './ledger-tag.ts'
import type { Network, Token } from './network.ts'
import type { Payload } from './payload.ts'
import { encodeBase64 } from './requirements.ts'
import type { Settler } from './settler.ts'
import { includesTransfer } from './transfer.ts'
import type { UsedAuthorizations } from './used-authorizations.ts'

type Needs = {
  readonly network: Network
  readonly token: Token
  readonly clock: Clock
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly chain: TokenChain
  readonly settler: Pick<Settler, 'onUnconfirmed'>
  readonly used: UsedAuthorizations
  readonly confirmTimeoutMs: number
  readonly pollIntervalMs: number
  /** The tag of our own settlements. */
  readonly ledgerTag?: Hex
}

type KnownAttempts = {
  /** Hashes of transactions that we may have sent; looked up first. */
  readonly sent?: readonly string[] | undefined
  /** The block of a transaction of ours that failed: nothing older than this block decides. */
  readonly failedInBlock?: number | undefined
}

/** Finds out on the chain whether a payment was taken. */
type SettlementLookup = {
  /** Polls for the receipt of one of the transactions; with `hasLooked` not at once. */
  confirm(hashes: readonly Hex[], signal: AbortSignal, options: { readonly hasLooked: boolean }): Promise<Receipt>
  /** See `Payment.recover`. `seenAt` is when the payment was received, in seconds since the epoch. */
  find(payload: Payload, seenAt: number, signal: AbortSignal, known?: KnownAttempts): Promise<Settlement | null>
  settlementOf(payload: Payload, transaction: Hex): Settlement
}

/** Largest difference between our clock and the chain's. */
const MAX_CLOCK_SKEW_SECONDS = 900

export function createSettlementLookup(needs: Needs): SettlementLookup {
  const { network, token, clock, rpc, chain, settler, used, confirmTimeoutMs, pollIntervalMs, ledgerTag } = needs

  function settlementOf({ version, transfer: { from } }: Payload, transaction: Hex): Settlement {
    const name = version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE'
    const response = { success: true, transaction, network: version === 2 ? network.id : network.name, payer: from }
    return { transaction, headers: [name, encodeBase64(JSON.stringify(response))] }
  }

  /** A stranger may have submitted the payment for its payer, but what another ledger took was sold there. */
  async function assertNotSoldElsewhere(transaction: Hex, signal: AbortSignal): Promise<void> {
    const tag = ledgerTag && parseLedgerTag(await chain.input(transaction, signal))
    if (tag === undefined || tag === ledgerTag) return
    throw new PaymentRefused('invalid-challenge', 'This payment was used at another instance; sign a new one.')
  }

  return {
    settlementOf,
    async confirm(hashes, signal, { hasLooked }) {
      const timeout = { who: 'the transaction of a payment', timeoutMs: confirmTimeoutMs, signal }
      try {
        return await withTimeout(timeout, async (own) => {
          if (hasLooked) await sleep(pollIntervalMs, own)
          for (;;) {
            const receipt = await chain.receipt(hashes, own).catch(ignoreUpstreamError)
            if (receipt) return receipt
            await sleep(pollIntervalMs, own)
          }
        })
      } catch (error) {
        settler.onUnconfirmed()
        throw error
      }
    },
    async find(payload, seenAt, signal, { sent = [], failedInBlock } = {}) {
      const { transfer } = payload
      for (const hash of sent as readonly Hex[]) {
        const receipt = await chain.receipt([hash], signal)
        if (receipt?.succeeded && includesTransfer(transfer, token, receipt.entries)) return settlementOf(payload, hash)
      }
      const { isUsed, head } = await chain.state(transfer, signal)
      used.check(transfer, isUsed)
      if (!isUsed) {
        if (failedInBlock !== undefined) used.check(transfer, await chain.isUsedAt(transfer, failedInBlock, signal))
        used.check(transfer, false)
        // Only the chain's clock decides, since it never goes back. A node that lags behind has not seen the last blocks.
        if (head.timestamp >= transfer.validBefore) {
          used.check(transfer, (await chain.agreedState(transfer, signal)).isUsed)
          used.check(transfer, false)
          throw new PaymentRefused('payment-expired', 'The payment expired before it was taken; nothing was charged.')
        }
        if (BigInt(Math.floor(clock.now() / 1000)) < transfer.validBefore) return null
        throw new UpstreamError('unavailable', 'the chain has not reached the expiry of a payment yet')
      }
      const since = seenAt - MAX_CLOCK_SKEW_SECONDS
      const use = await findAuthorizationUse({ rpc, network, token }, { transfer, head, since, signal })
      if (!use) throw new UpstreamError('unavailable', 'a payment was used, but the log has no event for it')
      const receipt = use.kind === 'used' ? await chain.receipt([use.transaction], signal) : null
      if (use.kind === 'used' && !receipt) throw new UpstreamError('unavailable', 'a transaction has no receipt')
      if (receipt && includesTransfer(transfer, token, receipt.entries)) {
        await assertNotSoldElsewhere(use.transaction, signal)
        return settlementOf(payload, use.transaction)
      }
      const sentence = 'The payer cancelled the payment or used its nonce for another one; sign a new one.'
      throw new PaymentRefused('verification-failed', sentence)
    },
  }
}

/** A node may fail now and then while a transaction is polled. */
function ignoreUpstreamError(error: unknown): null {
  if (error instanceof UpstreamError) return null
  throw error
}
