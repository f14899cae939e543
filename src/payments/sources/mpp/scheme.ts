import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type Random, secureRandom } from '../../../kernel/random.ts'
import { sleep } from '../../../kernel/sleep.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, type Payment, PaymentRefused, type Scheme, type Settlement } from '../../scheme.ts'
import { createTempoChain, type Wait } from './chain.ts'
import { createChallengeIssuer, METHOD } from './challenge.ts'
import { parseCredential } from './credential.ts'
import { createMemoMatcher, isSignedBy, replayKey, parseTransfer, type Transfer } from './transaction.ts'

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
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly clock: Clock
  readonly random?: Random
  readonly wait?: Wait
}

/** USDC.e on Tempo's main network. */
export const TEMPO_CHAIN_ID = 4217
export const TEMPO_USDC: Hex = '0x20C000000000000000000000b9537d11c60E8b50'

/** A payment must still be valid this long: the answer is computed first, and sending takes a moment. */
const MIN_VALIDITY_SECONDS = 6
/** The chain allows 30. The rest is tolerance for the payer's clock. */
const MAX_VALIDITY_SECONDS = 60
/** How long after its expiry a transaction that is not on the chain is given up. */
const EXPIRY_GRACE_SECONDS = 30

/**
 * The `Payment` HTTP authentication scheme with Tempo's charge: the client signs a transfer and we send it (pull). The
 * memo of the transfer names the challenge, and the challenge's HMAC covers the offer, so a transfer pays for nothing
 * else. The payment's key is the chain's own replay key, which does not depend on the form of the signature.
 */
export function createMpp(options: MppOptions): Scheme {
  const { realm, clock, currency = TEMPO_USDC, chainId = TEMPO_CHAIN_ID, rpc } = options
  const { random = secureRandom, wait = defaultWait } = options
  const challenges = createChallengeIssuer({ ...options, currency, chainId, random })
  const isMemoOf = createMemoMatcher(realm)
  const tempo = createTempoChain(rpc, wait)
  const now = () => clock.now() / 1000

  function payment({ transfer, payer, challengeId, challengeExpiresAt: challengeEnds }: ParsedPayment): Payment {
    const { validBefore, validAfter } = transfer
    const expired = () => new PaymentRefused('payment-expired', 'The payment has expired; sign a new one.')
    const settlement = (): Settlement => ({ transaction: transfer.hash, headers: receiptHeaders(transfer, clock) })

    /** Undefined if it is not on the chain and not expired. */
    const lookUp = async (signal: AbortSignal): Promise<Settlement | undefined> => {
      const { fate: outcome, chainTime } = await tempo.lookUp(transfer, payer, signal)
      if (outcome === 'paid') return settlement()
      if (outcome === 'failed') {
        throw new PaymentRefused('verification-failed', 'The transaction failed on the chain; nothing was paid.')
      }
      if (now() < validBefore) return undefined
      // The node's chain must have passed the expiry too: a node that lags behind has not seen the last blocks.
      if (now() > validBefore + EXPIRY_GRACE_SECONDS && chainTime >= validBefore) throw expired()
      throw new UpstreamError('unavailable', 'it is too early to tell that a payment was not made')
    }

    return {
      key: `mpp:${replayKey(transfer, payer)}`,
      payer,
      micros: transfer.amount,
      // The transaction is public on the chain, but the challenge id is not: only a part of its hash is in the memo.
      proof: createHash('sha256').update(`${transfer.raw} ${challengeId}`).digest('hex'),
      stored: JSON.stringify([transfer.raw, payer, challengeId]),
      expiresAt: validBefore,
      isSigned: () => isSignedBy(transfer, payer),
      async verify(signal) {
        const left = Math.min(validBefore, challengeEnds) - now()
        if (left <= 0) throw expired()
        if (validBefore - now() < MIN_VALIDITY_SECONDS) {
          throw new PaymentRefused('payment-expired', 'The payment expires too soon; sign a new one.')
        }
        if (validBefore - now() > MAX_VALIDITY_SECONDS) {
          const sentence = 'The transaction is valid for too long: it must end within 30 seconds.'
          throw new PaymentRefused('verification-failed', sentence)
        }
        if (validAfter > now()) {
          throw new PaymentRefused('verification-failed', 'The transaction is not valid yet; check the clock.')
        }
        if (!(await isSignedBy(transfer, payer))) {
          throw new PaymentRefused('verification-failed', 'The transaction is not signed by the payer it names.')
        }
        await tempo.simulate(transfer, payer, signal)
      },
      settle: (signal) =>
        withUnknownOutcome(signal, async () => {
          // An expired transaction is not sent. An earlier attempt may have sent it, so the chain is asked.
          if (now() >= validBefore) return (await lookUp(signal)) ?? tooEarly()
          await tempo.send(transfer, payer, signal)
          return settlement()
        }),
      recover: (signal) => withUnknownOutcome(signal, async () => (await lookUp(signal)) ?? null),
    }
  }

  return {
    id: 'mpp',
    challenge: (offer) => challenges.issue(offer),
    parse(headers, offer) {
      const credential = parseCredential(headers, chainId)
      if (!credential) return undefined
      const { challenge, transaction, payer } = credential
      const terms = challenges.check(challenge, offer)
      const transfer = parseTransfer(transaction)
      assertPays(transfer, { chainId, ...terms })
      if (!isMemoOf(transfer.memo, challenge.id)) {
        throw new PaymentRefused('invalid-challenge', 'The memo of the transfer does not name this challenge.')
      }
      return payment({ transfer, payer, challengeId: challenge.id, challengeExpiresAt: terms.expiresAt })
    },
    restore(stored) {
      const [raw, payer, challengeId] = JSON.parse(stored) as [Hex, Hex, string]
      return payment({ transfer: parseTransfer(raw), payer, challengeId, challengeExpiresAt: Number.POSITIVE_INFINITY })
    },
  }
}

type ParsedPayment = {
  readonly transfer: Transfer
  readonly payer: Hex
  readonly challengeId: string
  /** Seconds since the epoch. */
  readonly challengeExpiresAt: number
}

type ExpectedTransfer = {
  readonly chainId: number
  readonly currency: Hex
  readonly recipient: Hex
  readonly amount: bigint
}

function assertPays(transfer: Transfer, { chainId, currency, recipient, amount }: ExpectedTransfer): void {
  const wrong = (what: string) => new PaymentRefused('verification-failed', `The transaction ${what}.`)
  if (transfer.chainId !== BigInt(chainId)) throw wrong(`is signed for another chain than ${chainId}`)
  if (transfer.token !== currency) throw wrong('pays in another token')
  if (transfer.recipient !== recipient) throw wrong('pays somebody else')
  if (transfer.amount < amount) throw new PaymentRefused('payment-insufficient', 'The transaction pays too little.')
  if (transfer.amount > amount) throw wrong('pays too much')
}

/** An aborted wait leaves the outcome unknown, so its abort reason becomes an UpstreamError. */
async function withUnknownOutcome<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof PaymentRefused || error instanceof UpstreamError || !signal.aborted) throw error
    throw new UpstreamError('timeout', 'the outcome of a payment is not known yet', { cause: error })
  }
}

function tooEarly(): never {
  throw new UpstreamError('unavailable', 'it is too early to tell that a payment was not made')
}

function receiptHeaders({ hash }: Transfer, clock: Clock): string[] {
  const timestamp = new Date(clock.now()).toISOString()
  const receipt = { method: METHOD, reference: hash, status: 'success', timestamp }
  return ['Payment-Receipt', Buffer.from(JSON.stringify(receipt)).toString('base64url')]
}

const defaultWait: Wait = async (ms, signal) => {
  await sleep(ms, signal)
}
