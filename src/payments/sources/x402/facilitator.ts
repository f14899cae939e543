import { UpstreamError } from '../../../kernel/errors.ts'
import type { Upstream } from '../../../kernel/upstream/client.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import { createRequirements } from './requirements.ts'
import type { Network, Token } from './network.ts'
import type { Settler } from './settler.ts'
import type { Payload } from './payload.ts'

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  /** Base URL of a facilitator for version 2. */
  readonly url: string
  readonly network: Network
  readonly token: Token
  /** Headers that authenticate a request. */
  readonly authenticate?: (method: 'GET' | 'POST', url: string) => Record<string, string>
  readonly verifyTimeoutMs?: number
  readonly settleTimeoutMs?: number
}

type Fields = Readonly<Record<string, unknown>>

/** Statuses whose body says what is wrong; any other status is a failure of the facilitator. */
const ACCEPTED_STATUSES = [200, 400, 402, 409, 412, 422]
const MAX_RESPONSE_BYTES = 65_536
const HASH = /^0x[0-9a-fA-F]{64}$/
const REASON_CODE = /^[a-z0-9_]{1,100}$/
/** The payment itself is invalid. Any other reason may be a failure of the facilitator, or a pending transaction. */
const FINAL_REASON = /^insufficient_funds$|^invalid_exact_evm_(?!transaction_(?:failed|state))/

/** Settles through an x402 facilitator, which has its own key and gas. The outcome is still read from the chain. */
export function createFacilitator(needs: Needs): Settler & { supports(signal: AbortSignal): Promise<boolean> } {
  const { upstream, network, token, verifyTimeoutMs = 10_000, settleTimeoutMs = 25_000 } = needs
  const { authenticate = () => ({}) } = needs
  const base = needs.url.replace(/\/+$/, '')

  const post = async (path: string, payload: Payload, timeoutMs: number, signal: AbortSignal): Promise<Fields> => {
    const url = `${base}${path}`
    const reply = await upstream.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...authenticate('POST', url) },
      body: JSON.stringify(createRequestBody(payload)),
      accept: ACCEPTED_STATUSES,
      maxBytes: MAX_RESPONSE_BYTES,
      timeoutMs,
      signal,
    })
    return fieldsOf(reply.json())
  }

  // Both versions sign the same data, so payments of version 1 are forwarded as version 2.
  const createRequestBody = ({ transfer, resource, extensions }: Payload): object => {
    const { signature, deployment: _, ...authorization } = transfer
    const requirements = createRequirements({ network, token, payTo: authorization.to }, authorization.value)
    const { value, validAfter, validBefore } = authorization
    const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) }
    const payload = { signature, authorization: { ...authorization, ...numbers } }
    return {
      x402Version: 2,
      paymentPayload: { x402Version: 2, resource, accepted: requirements, payload, extensions },
      paymentRequirements: requirements,
    }
  }

  return {
    sender: undefined,
    async verify(payload, signal) {
      const { isValid, invalidReason } = await post('/verify', payload, verifyTimeoutMs, signal)
      if (isValid === true) return
      if (isValid !== false) throw invalidResponse()
      throw refused(invalidReason)
    },
    async send(payload, _trial, signal) {
      const { success, transaction, errorReason } = await post('/settle', payload, settleTimeoutMs, signal)
      const hasHash = typeof transaction === 'string' && HASH.test(transaction)
      if (success === true && hasHash) return { hashes: [transaction.toLowerCase() as Hex] }
      const isFinal = typeof errorReason === 'string' && FINAL_REASON.test(errorReason) && !hasHash
      if (success === false && isFinal) throw refused(errorReason)
      throw success === false ? notSettled(errorReason) : invalidResponse()
    },
    onUnconfirmed() {},
    async supports(signal) {
      const url = `${base}/supported`
      const reply = await upstream.request({
        url,
        headers: authenticate('GET', url),
        maxBytes: MAX_RESPONSE_BYTES,
        timeoutMs: verifyTimeoutMs,
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

/** Reasons are codes; anything else is not passed on to the client. */
const formatReason = (reason: unknown): string =>
  typeof reason === 'string' && REASON_CODE.test(reason) ? reason : 'no reason given'

const refused = (reason: unknown): PaymentRefused =>
  new PaymentRefused('verification-failed', `The facilitator does not take the payment: ${formatReason(reason)}.`)

const notSettled = (reason: unknown): UpstreamError =>
  new UpstreamError('unavailable', `the facilitator did not settle: ${formatReason(reason)}`)

const invalidResponse = (): UpstreamError => new UpstreamError('unavailable', "the facilitator's response is invalid")
