import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Usd } from '../../../kernel/money.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, type Payment, PaymentRefused, type Scheme } from '../../scheme.ts'
import { createTokenChain } from './chain.ts'
import { createContractPayers } from './contract-payers.ts'
import type { Network, Token } from './network.ts'
import { parsePayload, type Payload } from './payload.ts'
import { assertWouldSucceed } from './refusals.ts'
import { createChallenger, createRequirements, MAX_TIMEOUT_SECONDS, MIME_TYPE } from './requirements.ts'
import { nameOf } from './payment-identifiers.ts'
import { createSealer, type SealedTerms } from './seal.ts'
import { createSettlementLookup } from './settlement-lookup.ts'
import type { Settler } from './settler.ts'
import { decodeStoredPayment, encodeStoredPayment } from './stored-payment.ts'
import { computeDomainSeparator, includesTransfer, isSigned, paymentKey, type Transfer } from './transfer.ts'
import { assertCoversDeployment, createTrial, feesFor, type Trial } from './trial.ts'
import { createUsedAuthorizations } from './used-authorizations.ts'

type Needs = {
  readonly network: Network
  readonly token: Token
  readonly payTo: Hex
  readonly clock: Clock
  readonly rpc: Pick<EthereumRpc, 'ask' | 'agree'>
  /** Sign the terms of a 402, so that a restart with other settings honours them; the first signs, all verify. */
  readonly secrets: readonly string[]
  readonly settler: Settler
  /** Contracts that may deploy the wallet of a payer (ERC-6492), in lower case. */
  readonly walletFactories?: ReadonlySet<string> | undefined
  /** How a facilitator may list an endpoint (extension `bazaar`). */
  readonly discovery?: ((scope: string) => object | undefined) | undefined
  /** After this time the outcome of a sent transaction counts as unknown. */
  readonly confirmTimeoutMs?: number
  readonly pollIntervalMs?: number
  /** The tag of our own settlements; see `createLedgerTag`. */
  readonly ledgerTag?: Hex
}

/** A payment must still be valid this long: settling takes time. */
const MIN_VALIDITY_SECONDS = 6n

/** x402, scheme `exact`, versions 1 and 2: an EIP-3009 token, authorized by an account or a contract wallet. */
export function createX402(needs: Needs): Scheme {
  const { network, token, payTo, clock, rpc, settler, confirmTimeoutMs = 25_000, pollIntervalMs = 500 } = needs
  const chain = createTokenChain(rpc, token)
  const used = createUsedAuthorizations(clock)
  const lookup = createSettlementLookup({ ...needs, chain, used, confirmTimeoutMs, pollIntervalMs })
  const { confirm, find, settlementOf } = lookup
  const domain = computeDomainSeparator(network, token)
  const sealer = createSealer({ secrets: needs.secrets, clock, ttlSeconds: MAX_TIMEOUT_SECONDS })
  const now = () => BigInt(Math.floor(clock.now() / 1000))

  const tryTransfer = createTrial({
    rpc,
    clock,
    network,
    token,
    sender: settler.sender,
    walletFactories: needs.walletFactories,
  })
  const attempt = async (transfer: Transfer, signal: AbortSignal): Promise<Trial> => {
    const trial = await tryTransfer(transfer, signal)
    used.check(transfer, trial.isUsed)
    return trial
  }
  const contracts = createContractPayers(clock)
  /** Within the time of a block, a second trial shows what the first has shown. */
  const trialTtlMs = network.blockSeconds * 1000

  /**
   * Before sending: what would fail is not sent. If an earlier attempt may be on its way, a failed trial proves nothing:
   * an account's transfer is sent again to see its receipt, and a contract's is left open until it expires.
   */
  const assertSendable = (
    transfer: Transfer,
    trial: Trial,
    { isOwn, isFirst }: { readonly isOwn: boolean; readonly isFirst: boolean },
  ): void => {
    if (isFirst) return assertWouldSucceed(transfer, trial, isOwn)
    if (trial.isContract ? trial.revertReason === null : isOwn) return
    throw new UpstreamError('unavailable', 'the transfer of a contract wallet would fail now')
  }

  function paymentOf(payload: Payload, seenAt: number): Payment {
    const { transfer } = payload
    const { from, validBefore } = transfer
    const key = paymentKey(network, token, transfer)
    let mayBeSent = false
    let checked: { readonly trial: Trial; readonly atMs: number } | undefined
    let signed: Promise<boolean> | undefined
    /** A signature costs more to check than anything else here. */
    const isOwnSignature = () => (signed ??= isSigned(transfer, domain))
    /** Whether the payer's own key signed it. The token has checked that if the transfer of an account would succeed. */
    const isOwnIn = async ({ isContract, revertReason }: Trial): Promise<boolean> =>
      (!isContract && revertReason === null) || isOwnSignature()
    /** The trial of `verify`, unless it is old. A contract may change its mind at any time, so it is tried again. */
    const freshTrial = (): Trial | undefined =>
      checked && !checked.trial.isContract && clock.monotonic() - checked.atMs < trialTtlMs ? checked.trial : undefined
    return {
      key,
      payer: from,
      ...(payload.id !== undefined && { name: nameOf(from, payload.id) }),
      amount: transfer.value as Usd,
      proof: transfer.signature.toLowerCase(),
      stored: encodeStoredPayment({ ...payload, seenAt, chainId: network.chainId, asset: token.address }),
      expiresAt: Number(validBefore),
      isSigned: isOwnSignature,

      async verify(signal) {
        assertValidNow(transfer, now())
        contracts.assertNotPaused(from)
        const atMs = clock.monotonic()
        const { sender } = settler
        // A facilitator is not asked about what may not be signed at all.
        const isAskedAtOnce = !sender && (await isOwnSignature())
        const [trial] = await Promise.all([
          attempt(transfer, signal),
          isAskedAtOnce ? settler.verify(payload, signal) : undefined,
        ])
        assertWouldSucceed(transfer, trial, await isOwnIn(trial))
        if (sender) {
          assertCoversDeployment(sender.gasCap, transfer, trial)
          feesFor(sender.gasCap, transfer, trial)
        }
        if (!isAskedAtOnce) await settler.verify(payload, signal)
        checked = { trial, atMs }
        return { balance: trial.balance }
      },

      async settle(signal, onSending) {
        const isFirst = !mayBeSent
        mayBeSent = true
        let refusal: PaymentRefused | undefined
        let trial: Trial | null = null
        let failedInBlock: number | undefined
        try {
          const fresh = isFirst ? freshTrial() : undefined
          trial = now() < validBefore ? (fresh ?? (await attempt(transfer, signal))) : null
          if (trial && !trial.isUsed) {
            assertSendable(transfer, trial, { isOwn: await isOwnIn(trial), isFirst })
            const { hashes, receipt: first } = await settler.send(payload, trial, signal, onSending)
            const receipt = first ?? (await confirm(hashes, signal, { hasLooked: first === null }))
            if (receipt.succeeded) {
              if (includesTransfer(transfer, token, receipt.entries)) return settlementOf(payload, receipt.transaction)
              throw new UpstreamError('unavailable', 'a transaction went through without its transfer')
            }
            failedInBlock = receipt.blockNumber
          }
        } catch (error) {
          if (!(error instanceof PaymentRefused)) throw error
          refusal = error
        }
        try {
          // Somebody else may have submitted the same authorization first: then we are paid as well.
          const taken = await find(payload, seenAt, signal, { failedInBlock })
          if (taken) return taken
          throw refusal ?? failedOnChain()
        } catch (error) {
          if (trial?.isContract && error instanceof PaymentRefused) contracts.pause(from)
          throw error
        }
      },

      recover(signal, sent) {
        // Asked before settling if an earlier attempt may have sent it.
        mayBeSent = true
        return find(payload, seenAt, signal, { sent })
      },
    }
  }

  return {
    id: 'x402',
    isProofPublic: true,
    challenge: createChallenger({ network, token, payTo, sealer, discovery: needs.discovery }),
    parse(headers, offer) {
      if (headers['payment-signature'] === undefined && headers['x-payment'] === undefined) return undefined
      const { price } = offer
      const requirements = createRequirements({ network, token, payTo }, price)
      const isSealed = (seal: unknown, terms: SealedTerms) => sealer.isOurs(seal, terms, offer)
      const payload = parsePayload(headers, { requirements, isSealed, networkName: network.name })
      if (!payload) return undefined
      const { extensions, ...own } = payload
      const { url, description } = offer
      const forwarded = { extensions, resource: { url, description, mimeType: MIME_TYPE } }
      // Only a facilitator has a use for them; they are stored with the payment.
      return paymentOf(settler.sender ? own : { ...own, ...forwarded }, Number(now()))
    },
    restore(text) {
      const { seenAt, chainId, asset, ...payload } = decodeStoredPayment(text)
      if (chainId !== network.chainId || asset.toLowerCase() !== token.address.toLowerCase()) {
        throw new Error('A stored payment is for another chain or token than the settings name now.')
      }
      return paymentOf(payload, seenAt)
    },
  }
}

const failedOnChain = (): PaymentRefused =>
  new PaymentRefused('verification-failed', 'The transfer failed on the chain; nothing was charged.')

function assertValidNow({ validAfter, validBefore }: Transfer, now: bigint): void {
  if (validBefore < now + MIN_VALIDITY_SECONDS) {
    const sentence = `The payment has expired, or will within ${MIN_VALIDITY_SECONDS} seconds; sign a new one.`
    throw new PaymentRefused('payment-expired', sentence)
  }
  if (validAfter >= now) {
    throw new PaymentRefused('verification-failed', 'The payment is not valid yet; is the clock of the wallet right?')
  }
}
