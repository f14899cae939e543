import type { Hex, OnSending } from '../../scheme.ts'
import type { Transfer } from './transfer.ts'

/** Submits transfers to the chain: our own key or a facilitator. The outcome is read from the chain, not from here. */
export type Settler = {
  /** Sender of the transactions, if known. */
  readonly address: Hex | undefined
  /** Checks that it would be submitted. Throws PaymentRefused, or UpstreamError if that cannot be determined. */
  verify(transfer: Transfer, signal: AbortSignal): Promise<void>
  /**
   * Sends the transaction and returns its hash; null if the token reports the authorization as used. A repeated call sends
   * the same transaction again if that is still possible. Throws PaymentRefused if it will not be sent, UpstreamError if
   * it was not sent or that is unknown. `onSending` gets the hash of each new transaction first, if we sign it ourselves.
   */
  send(transfer: Transfer, signal: AbortSignal, onSending?: OnSending): Promise<Hex | null>
  /** Called when a sent transaction was not confirmed in time. */
  onUnconfirmed(): void
}
