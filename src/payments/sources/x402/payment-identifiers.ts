import { LRUCache } from 'lru-cache'
import { ApiError } from '../../../kernel/errors.ts'

/** The extension as a 402 announces it. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'
export const IDENTIFIER_ANNOUNCEMENT = {
  info: { required: false },
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { required: { type: 'boolean' }, id: { type: 'string', minLength: 16, maxLength: 128 } },
    required: ['required'],
  },
} as const
export const IDENTIFIER = /^[\w-]{16,128}$/
const MAX_IDENTIFIERS = 100_000

/** What a client calls its payment: a second payment under the same name is not taken. */
type Named = { readonly payer: string; readonly id: string; readonly key: string }

/** Kept in memory. The same payment finds its answer in the ledger, with or without a name. */
export function createPaymentIdentifiers() {
  // By payer, too: nobody can use up the names of somebody else.
  const keys = new LRUCache<string, string>({ max: MAX_IDENTIFIERS })
  return {
    /** Throws 409 if the payer has paid under this name with another payment. */
    assertFree({ payer, id, key }: Named): void {
      if ((keys.get(`${payer}:${id}`) ?? key) === key) return
      const sentence = 'Another payment with this payment identifier was taken already; send that one again.'
      throw new ApiError({ code: 'invalid_request', status: 409 }, sentence)
    },
    bind: ({ payer, id, key }: Named) => void keys.set(`${payer}:${id}`, key),
  }
}
