import { createHash } from 'node:crypto'
import type { Hex } from '../../scheme.ts'

/** "Onom", as in the ledger's file. */
const MAGIC = '4f6e6f6d'
const TAG_HEX_LENGTH = 16

/**
 * Eight bytes that our settlements carry after their call data, where Solidity ignores them: four that mark an Onoma
 * settlement, and four of the hash of the ledger's id. An instance with another ledger sees that the payment was not
 * made to it. The tag is public and not authenticated: our tag gets a payer no more than none, and a foreign one can only
 * cost the payer the answer. Nobody gains, and a secret would not help, since a ledger cannot check the tags of others.
 */
export const createLedgerTag = (ledgerId: string): Hex =>
  `0x${MAGIC}${createHash('sha256')
    .update(ledgerId)
    .digest('hex')
    .slice(0, TAG_HEX_LENGTH - MAGIC.length)}`

/** The tag at the end of a transaction's input; undefined if missing. */
export function parseLedgerTag(input: Hex): Hex | undefined {
  const tag = input.slice(-TAG_HEX_LENGTH).toLowerCase()
  return tag.length === TAG_HEX_LENGTH && tag.startsWith(MAGIC) ? `0x${tag}` : undefined
}
