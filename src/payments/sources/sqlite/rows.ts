import type { LedgerEntry, UnpricedTransaction } from '../../ledger.ts'

/** The columns of an entry, for SELECT statements. */
export const COLUMNS =
  'key, fingerprint, state, lease_until, created_at, scheme, payer, endpoint, micros, payment, status, body, tx, headers, ' +
  'sent, token, paid_in, settled_at, delivered_at, lost_at'

/** A row read with `setReadBigInts`. */
export type Row = {
  readonly key: string
  readonly fingerprint: string
  readonly state: LedgerEntry['state']
  readonly lease_until: bigint
  readonly created_at: bigint
  readonly scheme: string
  readonly payer: string
  readonly endpoint: string
  readonly micros: bigint
  readonly payment: string
  readonly tx: string | null
  readonly headers: string | null
  readonly sent: string | null
  readonly token: string | null
  readonly paid_in: string | null
  readonly settled_at: bigint | null
  readonly delivered_at: bigint | null
  readonly lost_at: bigint | null
} & AnswerColumns

type AnswerColumns = { readonly status: bigint | null; readonly body: string | null }

export const parseEntry = (row: Row): LedgerEntry => ({
  key: row.key,
  fingerprint: row.fingerprint,
  state: row.state,
  leaseUntil: Number(row.lease_until),
  createdAt: Number(row.created_at),
  details: { scheme: row.scheme, payer: row.payer, endpoint: row.endpoint, micros: row.micros },
  payment: row.payment,
  answer: parseAnswer(row),
  receipt:
    row.tx === null || row.headers === null
      ? undefined
      : { transaction: row.tx, headers: JSON.parse(row.headers) as string[], tokenHash: row.token ?? undefined },
  tokenHash: row.token ?? undefined,
  paidIn: row.paid_in ?? undefined,
  sent: row.sent === null ? [] : row.sent.split(' '),
  settledAt: row.settled_at === null ? undefined : Number(row.settled_at),
  deliveredAt: row.delivered_at === null ? undefined : Number(row.delivered_at),
  isLost: row.lost_at !== null,
})

export const parseAnswer = ({ status, body }: AnswerColumns): LedgerEntry['answer'] =>
  status === null || body === null ? undefined : { status: Number(status), body }

export type UnpricedRow = {
  readonly hash: string
  readonly sender: string
  readonly nonce: bigint
  readonly sent_at: bigint
}

export const parseUnpriced = ({ hash, sender, nonce, sent_at }: UnpricedRow): UnpricedTransaction => ({
  hash,
  sender,
  nonce: Number(nonce),
  sentAt: Number(sent_at),
})
