import { UpstreamError } from '../../../kernel/errors.ts'
import type { Upstream } from '../../../kernel/upstream/client.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import { requirementsOf } from './invitation.ts'
import type { Network, Token } from './network.ts'
import type { Settler } from './settler.ts'
import type { Transfer } from './transfer.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  /** Of a facilitator that speaks version 2. */
  readonly url: string
  readonly network: Network
  readonly token: Token
  readonly verifyMs?: number
  readonly settleMs?: number
}

type Fields = Readonly<Record<string, unknown>>

/** Statuses with which facilitators say no in their own words; any other is trouble of theirs. */
const ANSWERS = [200, 400, 402, 409, 412, 422]
const MAX_ANSWER_BYTES = 65_536
const HASH = /^0x[0-9a-fA-F]{64}$/
const WORD = /^[a-z0-9_]{1,100}$/
/** What is wrong with the payment itself. Anything else may be their trouble, or a transaction under way. */
const ABOUT_THE_PAYMENT = /^insufficient_funds$|^invalid_exact_evm_(?!transaction_(?:failed|state))/

/** Leaves settling to somebody with a key and gas of their own. Whether they did is looked up on the chain all the same. */
export function createFacilitator(needs: Needs): Settler & { supports(signal: AbortSignal): Promise<boolean> } {
  const { upstream, network, token, verifyMs = 10_000, settleMs = 25_000 } = needs
  const base = needs.url.replace(/\/+$/, '')

  const post = async (path: string, transfer: Transfer, timeoutMs: number, signal: AbortSignal): Promise<Fields> => {
    const reply = await upstream.request({
      url: `${base}${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(questionAbout(transfer)),
      accept: ANSWERS,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs,
      signal,
    })
    return fieldsOf(reply.json())
  }

  // Both versions sign the same, so that of the client is none of theirs.
  const questionAbout = ({ signature, ...authorization }: Transfer): object => {
    const requirements = requirementsOf({ network, token, payTo: authorization.to }, authorization.value)
    const { value, validAfter, validBefore } = authorization
    const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
    const payload = { signature, authorization: { ...authorization, ...numbers } }
    return {
      x402Version: 2,
      paymentPayload: { x402Version: 2, accepted: requirements, payload },
      paymentRequirements: requirements,
    }
  }

  return {
    address: undefined,
    async verify(transfer, signal) {
      const { isValid, invalidReason } = await post('/verify', transfer, verifyMs, signal)
      if (isValid === true) return
      if (isValid !== false) throw unusable()
      throw refusal(invalidReason)
    },
    async send(transfer, signal) {
      const { success, transaction, errorReason } = await post('/settle', transfer, settleMs, signal)
      const hasHash = typeof transaction === 'string' && HASH.test(transaction)
      if (success === true && hasHash) return transaction.toLowerCase() as Hex
      const isFinal = typeof errorReason === 'string' && ABOUT_THE_PAYMENT.test(errorReason) && !hasHash
      if (success === false && isFinal) throw refusal(errorReason)
      throw success === false ? trouble(errorReason) : unusable()
    },
    doubt() {},
    async supports(signal) {
      const reply = await upstream.request({
        url: `${base}/supported`,
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: verifyMs,
        signal,
      })
      const { kinds } = fieldsOf(reply.json())
      const isOurs = (kind: unknown) => {
        const { x402Version, scheme, network: id } = fieldsOf(kind)
        return x402Version === 2 && scheme === 'exact' && (id === network.id || id === 'eip155:*')
      }
      return Array.isArray(kinds) && kinds.some(isOurs)
    },
  }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Their reasons are words; what is none is not passed on. */
const inWords = (reason: unknown): string =>
  typeof reason === 'string' && WORD.test(reason) ? reason : 'no reason given'

const refusal = (reason: unknown): PaymentRefused =>
  new PaymentRefused('verification-failed', `The facilitator does not take the payment: ${inWords(reason)}.`)

const trouble = (reason: unknown): UpstreamError =>
  new UpstreamError('unavailable', `the facilitator did not settle: ${inWords(reason)}`)

const unusable = (): UpstreamError => new UpstreamError('unavailable', "the facilitator's answer could not be used")
