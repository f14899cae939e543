import { createHash } from 'node:crypto'
import { keccak256, stringToBytes } from '../../../kernel/ethereum/bytes.ts'
import type { Hex } from '../../scheme.ts'

/** Memos of payments to one realm: tag, version, hash of the realm, ten bytes of the client, hash of the challenge id. */
export type Memos = {
  isFor(memo: Hex, challengeId: string): boolean
  /**
   * Identifies a payment by payer and challenge, as the memo on the chain does. A signed transfer and the hash of a sent
   * one have the same key, so one transfer is never sold in both modes; neither are two challenges whose hashes collide.
   */
  keyOf(payer: Hex, challengeId: string): string
}

const MEMO_VERSION = '01'

export function createMemos(realm: string): Memos {
  const opening = `${fingerprint('mpp', 4)}${MEMO_VERSION}${fingerprint(realm, 10)}`
  return {
    isFor: (memo, challengeId) => memo.startsWith(opening, 2) && memo.endsWith(fingerprint(challengeId, 7)),
    keyOf: (payer, challengeId) =>
      createHash('sha256')
        .update(`${payer} ${opening} ${fingerprint(challengeId, 7)}`)
        .digest('hex'),
  }
}

const fingerprint = (text: string, bytes: number): string => keccak256(stringToBytes(text)).slice(2, 2 + 2 * bytes)
