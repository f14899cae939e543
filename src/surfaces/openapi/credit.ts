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
