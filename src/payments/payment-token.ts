import { createHash } from 'node:crypto'
import type { Random } from '../kernel/random.ts'
import type { LedgerEntry } from './ledger.ts'
import type { RequestHeaders } from './scheme.ts'

/** Response header of a first answer, and request header of a repeat. */
export const PAYMENT_TOKEN = 'Payment-Token'
const TOKEN_BYTES = 32
/** An answer that was not delivered can be fetched with the payment alone for this long. */
const UNDELIVERED_TTL_MS = 10 * 60_000

/** What a client may choose as its token: as hard to guess as ours. */
const CLIENT_TOKEN = /^[\w-]{43,128}$/

/** The token the client has sent with its payment, which it knows even if the answer is lost; otherwise a new one. */
export function choosePaymentToken(headers: RequestHeaders, random: Random): string {
  return parsePaymentToken(headers) ?? Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')
}

/** The client's own token, if it is hard enough to guess. */
export function parsePaymentToken(headers: RequestHeaders): string | undefined {
  const own = headers[PAYMENT_TOKEN.toLowerCase()]
  return typeof own === 'string' && CLIENT_TOKEN.test(own) ? own : undefined
}

/** Of the token that the client chose; undefined if it left that to us. */
export function hashOwnToken(headers: RequestHeaders): string | undefined {
  const own = parsePaymentToken(headers)
  return own === undefined ? undefined : hashPaymentToken(own)
}

export const hashPaymentToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * Whether a settled answer may be given out again. Once settled, the payment can be rebuilt from the chain by anybody, so
 * it proves nothing: the caller needs the token of the first answer, unless that answer never reached him.
 */
export function mayFetchAgain(entry: LedgerEntry, headers: RequestHeaders, now: number): boolean {
  const token = headers[PAYMENT_TOKEN.toLowerCase()]
  if (typeof token === 'string' && hashPaymentToken(token) === entry.tokenHash) return true
  return entry.deliveredAt === undefined && now <= (entry.settledAt ?? 0) + UNDELIVERED_TTL_MS
}
