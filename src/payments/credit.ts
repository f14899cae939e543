import type { StoredAnswer } from './ledger.ts'

/** Name of the endpoint that sells credit. The ledger says by it which payments bought credit. */
export const CREDIT_ENDPOINT = 'buyCredit'

/**
 * Prepaid credit: bought with one payment, and drawn on by many requests. It is kept with the ledger and exists only while
 * the ledger has its payment as settled. At any time bought = balance + reserved + spent, and none of them is negative.
 */
export type CreditStore = {
  /**
   * Attaches a credit to a payment that `owner` has claimed to buy one, instead of an earlier owner's. It can be drawn on
   * once the payment is settled. False if the claim was lost.
   */
  attach(credit: NewCredit): Promise<boolean>
  /** What is needed to give out the token of a payment again; undefined if it is no longer kept. */
  secretOf(paymentKey: string): Promise<CreditSecret | undefined>
  /** The credit of a token, and its draw with this idempotency key; undefined if its payment is not settled. */
  find(tokenHash: string, key?: string): Promise<Credit | undefined>
  /** Reserves the price of a request, in one atomic step, before the work. The reservation ends after `leaseMs`. */
  draw(draw: Draw): Promise<DrawResult>
  /** Spends what `owner` has reserved. With `answer`, its key repeats it. False if the reservation has ended. */
  confirm(owner: string, answer?: StoredAnswer): Promise<boolean>
  /** Ends a reservation: nothing is spent. */
  giveBack(owner: string): Promise<void>
  /** Millionths of a dollar that were bought and are not spent: what the operator owes. */
  outstanding(): Promise<bigint>
}

export type CreditSecret = {
  /** SHA-256 of the token, in hexadecimal. The token itself is never stored. */
  readonly tokenHash: string
  /** Random. The token is derived from it and a key of the service. */
  readonly salt: string
  /** SHA-256 of the `Payment-Token` of the buyer, if the payment itself becomes public. */
  readonly redeemHash: string | undefined
}

export type NewCredit = CreditSecret & { readonly paymentKey: string; readonly owner: string }

/** Amounts are millionths of a dollar. */
export type Credit = {
  readonly bought: bigint
  readonly spent: bigint
  /** Drawn by requests that are not answered yet. */
  readonly reserved: bigint
  /** The chain has dropped the payment: nothing can be drawn. */
  readonly isLost: boolean
  readonly prior: PriorDraw | undefined
}

/** An earlier draw with the same idempotency key. `answer` is undefined while it is worked on. */
export type PriorDraw = {
  readonly fingerprint: string
  readonly leaseUntil: number
  readonly answer: StoredAnswer | undefined
}

export type Draw = {
  readonly tokenHash: string
  /** The client's idempotency key, if it sent one: at most one draw of the credit has it. */
  readonly key?: string | undefined
  /** Of the request that the key is for; empty without a key. */
  readonly fingerprint: string
  /** Begins with the time, ends in something random, and is used for one draw only. */
  readonly owner: string
  readonly leaseMs: number
  readonly endpoint: string
  readonly micros: bigint
}

export type DrawResult =
  /** Reserved. `balance` is what is left. */
  | { readonly drawn: true; readonly balance: bigint }
  /** The key was used before, the balance is too small, or the credit is lost: `credit` shows which. Undefined: no such token. */
  | { readonly drawn: false; readonly credit: Credit | undefined }

export const balanceOf = ({ bought, spent, reserved }: Pick<Credit, 'bought' | 'spent' | 'reserved'>): bigint =>
  bought - spent - reserved

/** Whether the key of an earlier draw cannot be used: it is answered, or still worked on. */
export const isHeld = ({ answer, leaseUntil }: PriorDraw, now: number): boolean =>
  answer !== undefined || leaseUntil >= now
