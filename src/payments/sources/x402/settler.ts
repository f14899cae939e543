import type { Hex } from '../../scheme.ts'
import type { Transfer } from './transfer.ts'

/** Whoever puts transfers on the chain. Whether they went through is looked up there, and not asked here. */
export type Settler = {
  /** Who sends the transactions, where that is known. */
  readonly address: Hex | undefined
  /** Whether they would take it. Throws PaymentRefused, or UpstreamError where that cannot be told. */
  verify(transfer: Transfer, signal: AbortSignal): Promise<void>
  /**
   * The transaction that takes it, sent; null where the token says it is used already. Sent again it is the same
   * transaction where that is still possible. Throws PaymentRefused where it will not be sent, and UpstreamError where
   * it was not or where nobody knows.
   */
  send(transfer: Transfer, signal: AbortSignal): Promise<Hex | null>
  /** Nobody saw a transaction of theirs come through. */
  onUnconfirmed(): void
}
