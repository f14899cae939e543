import type { Clock } from '../../../kernel/clock.ts'
import { type Random, secureRandom } from '../../../kernel/random.ts'
import { sleep } from '../../../kernel/sleep.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { Hex, Scheme } from '../../scheme.ts'
import { createTempoChain, type Wait } from './chain.ts'
import { createChallengeIssuer } from './challenge.ts'
import { parseCredential } from './credential.ts'
import { createMemos } from './memo.ts'
import { parsePullPayment, restorePullPayment } from './pull-payment.ts'
import { createPushPayment, PUSH, restorePushPayment } from './push-payment.ts'

export type MppOptions = {
  /** The host name of the service. */
  readonly realm: string
  /** The first signs challenges; all verify them, so that secrets can be rotated. */
  readonly secrets: readonly string[]
  /** Identifies the ledger: a challenge of an instance with another ledger is refused. */
  readonly ledgerId: string
  /** Address of the token. */
  readonly currency?: Hex
  readonly recipient: Hex
  readonly chainId?: number
  /** How far in the future an expiring transaction may end; the chain allows 30 seconds, later versions may allow more. */
  readonly maxValiditySeconds?: number
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly clock: Clock
  readonly random?: Random
  readonly wait?: Wait
}

/** USDC.e on Tempo's main network. */
export const TEMPO_CHAIN_ID = 4217
export const TEMPO_USDC: Hex = '0x20C000000000000000000000b9537d11c60E8b50'

/** The chain allows 30. The rest is tolerance for the payer's clock. */
const MAX_VALIDITY_SECONDS = 60

/**
 * The `Payment` HTTP authentication scheme with Tempo's charge: the client signs a transfer and we send it (pull), or the
 * client sends it and names its transaction (push). The memo of the transfer names the challenge, and the challenge's
 * HMAC covers the offer, so a transfer pays for nothing else.
 */
export function createMpp(options: MppOptions): Scheme {
  const { realm, clock, currency = TEMPO_USDC, chainId = TEMPO_CHAIN_ID, rpc } = options
  const { random = secureRandom, wait = defaultWait, maxValiditySeconds = MAX_VALIDITY_SECONDS } = options
  const challenges = createChallengeIssuer({ ...options, currency, chainId, random })
  const needs = { tempo: createTempoChain(rpc, wait), memos: createMemos(realm), clock, maxValiditySeconds }
  return {
    id: 'mpp',
    challenge: (offer) => challenges.issue(offer),
    parse(headers, offer) {
      const credential = parseCredential(headers, chainId)
      if (!credential) return undefined
      const { challenge, payload, payer } = credential
      const terms = challenges.check(challenge, offer)
      return 'hash' in payload
        ? createPushPayment(needs, { ...payload, payer, terms })
        : parsePullPayment(needs, { ...payload, payer, terms, chainId })
    },
    restore(stored) {
      const parts = JSON.parse(stored) as readonly unknown[]
      return parts[0] === PUSH ? restorePushPayment(needs, parts) : restorePullPayment(needs, parts)
    },
  }
}

const defaultWait: Wait = async (ms, signal) => {
  await sleep(ms, signal)
}
