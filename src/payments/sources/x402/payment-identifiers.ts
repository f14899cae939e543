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

/** The name of a payment in the ledger. By payer, too: nobody can use up the names of somebody else. */
export const nameOf = (payer: string, id: string): string => `${payer}:${id}`
