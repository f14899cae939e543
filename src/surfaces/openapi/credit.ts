import type { Endpoint } from '../../kernel/endpoint.ts'
import type { Json } from './schemas.ts'

/** Whether a request can be paid with prepaid credit. */
export const acceptsCredit = ({ price, sellsCredit }: Endpoint): boolean => price !== undefined && !sellsCredit

/** The request header that makes a draw on credit repeatable. */
export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'With a credit token only: for 24 hours, the same key with the same request returns the same answer and costs nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
  example: 'b9c1f6de-valuation-1',
}

/** The request header with which only the buyer gets the token of a credit. */
export const PAYMENT_TOKEN: Json = {
  name: 'Payment-Token',
  in: 'header',
  required: false,
  description: 'Required with a payment by x402: random characters of base64url, chosen by the client.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{43,128}$' },
  example: 'q3vXc0m5bq1o7r8J4k2uTnYpZ6dWfHsLxEaGiCtRwQo',
}
