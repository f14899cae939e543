import type { Clock } from '../../../kernel/clock.ts'
import { withDeadline } from '../../../kernel/deadline.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { sleep } from '../../../kernel/sleep.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import { type Hex, type Payment, PaymentRefused, type Scheme, type Settlement } from '../../scheme.ts'
import { createTokenChain, type Receipt } from './chain.ts'
import { encodeBase64, createChallenger, createRequirements } from './requirements.ts'
import type { Network, Token } from './network.ts'
import { type Payload, parsePayload } from './payload.ts'
import type { Settler } from './settler.ts'
import { decodeStoredPayment, encodeStoredPayment } from './stored-payment.ts'
import { computeDomainSeparator, isSigned, includesTransfer, type Transfer } from './transfer.ts'
import { findAuthorizationUse } from './authorization-use.ts'
import { assertWouldSucceed } from './refusals.ts'

type Needs = {
  readonly network: Network
  readonly token: Token
  readonly payTo: Hex
  readonly clock: Clock
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly settler: Settler
  /** How long a transaction is waited for before its outcome counts as unknown. */
  readonly confirmTimeoutMs?: number
  readonly pollIntervalMs?: number
}

/** Seconds that settling may take. */
const MIN_VALIDITY_SECONDS = 6n
/** How far our clock and that of the chain may be apart. */
const MAX_CLOCK_SKEW_SECONDS = 900
const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

/** x402, scheme `exact`, versions 1 and 2: a token of EIP-3009, signed over by an account with a key of its own. */
export function createX402(needs: Needs): Scheme {
  const {
    network,
    token,
    payTo,
    clock,
    rpc,
    settler,
    confirmTimeoutMs: confirmMs = 25_000,
    pollIntervalMs: pollMs = 500,
  } = needs
  const chain = createTokenChain(rpc, token)
  const domain = computeDomainSeparator(network, token)
  const now = () => BigInt(Math.floor(clock.now() / 1000))

  const assertSigned = async (transfer: Transfer): Promise<void> => {
    if (await isSigned(transfer, domain)) return
    throw new PaymentRefused('verification-failed', 'The payment is not signed by the account it is to come from.')
  }

  async function confirmed(hash: Hex, signal: AbortSignal): Promise<Receipt> {
    const waiting = { who: 'the transaction of a payment', ms: confirmMs, signal }
    try {
      return await withDeadline(waiting, async (own) => {
        for (;;) {
          const receipt = await chain.receipt(hash, own).catch(unlessUpstreamFails)
          if (receipt) return receipt
          await sleep(pollMs, own)
        }
      })
    } catch (error) {
      settler.onUnconfirmed()
      throw error
    }
  }

  /** What the chain has to say; see `recover`. */
  async function evidence(payload: Payload, seenAt: number, signal: AbortSignal): Promise<Settlement | null> {
    const { transfer } = payload
    const { isUsed, head } = await chain.state(transfer, signal)
    if (!isUsed) {
      // Only the chain's own clock decides, and it never goes back. A node that is behind has not seen the end.
      if (head.timestamp >= transfer.validBefore) {
        throw new PaymentRefused('payment-expired', 'The payment expired before it was taken; nothing was charged.')
      }
      if (now() < transfer.validBefore) return null
      throw new UpstreamError('unavailable', 'the chain has not come to the end of a payment yet')
    }
    const since = seenAt - MAX_CLOCK_SKEW_SECONDS
    const use = await findAuthorizationUse({ rpc, network, token }, { transfer, head, since, signal })
    if (!use) throw new UpstreamError('unavailable', 'a payment was used, but the log does not say how')
    const receipt = use.kind === 'used' ? await chain.receipt(use.transaction, signal) : null
    if (use.kind === 'used' && !receipt) throw new UpstreamError('unavailable', 'a transaction has no receipt')
    if (receipt && includesTransfer(transfer, token, receipt.entries)) return settlementOf(payload, use.transaction)
    const sentence = 'The payer cancelled the payment or used its nonce for another one; sign a new one.'
    throw new PaymentRefused('verification-failed', sentence)
  }

  function settlementOf({ version, transfer: { from } }: Payload, transaction: Hex): Settlement {
    const name = version === 2 ? 'PAYMENT-RESPONSE' : 'X-PAYMENT-RESPONSE'
    const response = { success: true, transaction, network: version === 2 ? network.id : network.name, payer: from }
    return { transaction, headers: [name, encodeBase64(JSON.stringify(response))] }
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
      },

      async settle(signal) {
        await assertSigned(transfer)
        const failed = 'The transfer failed on the chain; nothing was charged.'
        let refusal = new PaymentRefused('verification-failed', failed)
        try {
          const hash = now() < validBefore ? await settler.send(transfer, signal) : null
          const receipt = hash && (await confirmed(hash, signal))
          if (hash && receipt?.succeeded) {
            if (includesTransfer(transfer, token, receipt.entries)) return settlementOf(payload, hash)
            throw new UpstreamError('unavailable', 'a transaction went through without its transfer')
          }
        } catch (error) {
          if (!(error instanceof PaymentRefused)) throw error
          refusal = error
        }
        // Somebody else may have handed the same authorization in first: then we are paid all the same.
        const taken = await evidence(payload, seenAt, signal)
        if (taken) return taken
        throw refusal
      },

      recover: (signal) => evidence(payload, seenAt, signal),
    }
  }

  return {
    id: 'x402',
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
        throw new Error('A payment that was written down is for another chain or token than the settings now name.')
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

/** While a transaction is waited for, a node may fail now and then. */
function unlessUpstreamFails(error: unknown): null {
  if (error instanceof UpstreamError) return null
  throw error
}
