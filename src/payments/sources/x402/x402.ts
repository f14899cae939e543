import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, type Payment, PaymentRefused, type Scheme } from '../../scheme.ts'
import { createTokenChain } from './chain.ts'
import type { Network, Token } from './network.ts'
import { parsePayload, type Payload } from './payload.ts'
import { assertWouldSucceed } from './refusals.ts'
import { createChallenger, createRequirements } from './requirements.ts'
import { createSettlementLookup } from './settlement-lookup.ts'
import type { Settler } from './settler.ts'
import { decodeStoredPayment, encodeStoredPayment } from './stored-payment.ts'
import { computeDomainSeparator, includesTransfer, isSigned, type Transfer } from './transfer.ts'

type Needs = {
  readonly network: Network
  readonly token: Token
  readonly payTo: Hex
  readonly clock: Clock
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly settler: Settler
  /** After this time the outcome of a sent transaction counts as unknown. */
  readonly confirmTimeoutMs?: number
  readonly pollIntervalMs?: number
  /** The tag of our own settlements; see `createLedgerTag`. */
  readonly ledgerTag?: Hex
}

/** A payment must still be valid this long: settling takes time. */
const MIN_VALIDITY_SECONDS = 6n
const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

/** x402, scheme `exact`, versions 1 and 2: an EIP-3009 token, authorized by an account with its own key. */
export function createX402(needs: Needs): Scheme {
  const { network, token, payTo, clock, rpc, settler, confirmTimeoutMs = 25_000, pollIntervalMs = 500 } = needs
  const chain = createTokenChain(rpc, token)
  const { confirm, find, settlementOf } = createSettlementLookup({ ...needs, chain, confirmTimeoutMs, pollIntervalMs })
  const domain = computeDomainSeparator(network, token)
  const now = () => BigInt(Math.floor(clock.now() / 1000))

  const assertSigned = async (transfer: Transfer): Promise<void> => {
    if (await isSigned(transfer, domain)) return
    throw new PaymentRefused('verification-failed', 'The payment is not signed by the account it is to come from.')
  }

  function paymentOf(payload: Payload, seenAt: number): Payment {
    const { transfer } = payload
    const { from, nonce, validBefore } = transfer
    return {
      key: `x402:${network.chainId}:${token.address}:${from}:${nonce}`.toLowerCase(),
      payer: from,
      proof: transfer.signature.toLowerCase(),
      stored: encodeStoredPayment({ ...payload, seenAt, chainId: network.chainId, asset: token.address }),
      expiresAt: Number(validBefore),
      isSigned: () => isSigned(transfer, domain),

      async verify(signal) {
        assertValidNow(transfer, now())
        await assertSigned(transfer)
        const trial = chain.simulate(transfer, settler.address ?? ZERO_ADDRESS, signal)
        const [outcome] = await Promise.all([trial, settler.verify(transfer, signal)])
        assertWouldSucceed(transfer, outcome)
        return { balance: outcome.balance }
      },

      async settle(signal, onSending) {
        await assertSigned(transfer)
        const failed = 'The transfer failed on the chain; nothing was charged.'
        let refusal = new PaymentRefused('verification-failed', failed)
        try {
          const hash = now() < validBefore ? await settler.send(transfer, signal, onSending) : null
          const receipt = hash && (await confirm(hash, signal))
          if (hash && receipt?.succeeded) {
            if (includesTransfer(transfer, token, receipt.entries)) return settlementOf(payload, hash)
            throw new UpstreamError('unavailable', 'a transaction went through without its transfer')
          }
        } catch (error) {
          if (!(error instanceof PaymentRefused)) throw error
          refusal = error
        }
        // Somebody else may have submitted the same authorization first: then we are paid as well.
        const taken = await find(payload, seenAt, signal)
        if (taken) return taken
        throw refusal
      },

      recover: (signal, sent) => find(payload, seenAt, signal, sent),
    }
  }

  return {
    id: 'x402',
    isProofPublic: true,
    challenge: createChallenger({ network, token, payTo }),
    parse(headers, { price }) {
      if (headers['payment-signature'] === undefined && headers['x-payment'] === undefined) return undefined
      const requirements = createRequirements({ network, token, payTo }, price)
      const payload = parsePayload(headers, { requirements, price, networkName: network.name })
      return payload && paymentOf(payload, Number(now()))
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

function assertValidNow({ validAfter, validBefore }: Transfer, now: bigint): void {
  if (validBefore < now + MIN_VALIDITY_SECONDS) {
    const sentence = `The payment has expired, or will within ${MIN_VALIDITY_SECONDS} seconds; sign a new one.`
    throw new PaymentRefused('payment-expired', sentence)
  }
  if (validAfter >= now) {
    throw new PaymentRefused('verification-failed', 'The payment is not valid yet; is the clock of the wallet right?')
  }
}
