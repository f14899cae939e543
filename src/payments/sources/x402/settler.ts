import type { Hex, OnSending } from '../../scheme.ts'
import type { Receipt } from './chain.ts'
import type { GasCap } from './fees.ts'
import type { Payload } from './payload.ts'
import type { Trial } from './trial.ts'

/** What was sent: one of the transactions will be mined. */
export type Sent = {
  /** The newest first, then those that it replaced. */
  readonly hashes: readonly Hex[]
  /** If one is in a block already; null if that was asked for and is not so yet. */
  readonly receipt?: Receipt | null | undefined
}

/** Submits transfers to the chain: our own key or a facilitator. The outcome is read from the chain, not from here. */
export type Settler = {
  /** Sends the transactions and pays for their gas; undefined if a facilitator does. */
  readonly sender: { readonly address: Hex; readonly gasCap: GasCap } | undefined
  /** Checks that it would be submitted. Throws PaymentRefused, or UpstreamError if that cannot be determined. */
  verify(payload: Payload, signal: AbortSignal): Promise<void>
  /**
   * Sends the transaction. A repeated call sends the same transaction again if that is still possible. Throws
   * PaymentRefused if it will not be sent, UpstreamError if it was not sent or that is unknown. `onSending` gets the hash
   * of each new transaction first, if we sign it ourselves.
   */
  send(payload: Payload, trial: Trial, signal: AbortSignal, onSending?: OnSending): Promise<Sent>
  /** Called when a sent transaction was not confirmed in time. */
  onUnconfirmed(): void
}
