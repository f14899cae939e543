// The client of an Onoma service: no dependencies, for Node, browsers, workers, Deno and Bun.
import { OPERATIONS } from './operations.js'

const RETRIED = new Set([408, 429, 502, 503, 504])
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 8_000
const DAY_MS = 86_400_000
const PAYMENT_UNKNOWN = 'It is not known whether the payment was made. Look at the wallet before you pay again.'

/** An error as a value, and what `unwrap` and streams throw. */
export class OnomaError extends Error {
  name = 'OnomaError'
  /** @param {string} code @param {string} message @param {Partial<OnomaError>} [facts] */
  constructor(code, message, facts = {}) {
    super(message, { cause: facts.cause })
    this.code = code
    this.status = facts.status ?? 0
    this.retryAfterMs = facts.retryAfterMs ?? null
    this.body = facts.body ?? null
  }
}

/** The data of an answer; throws its error. */
export function unwrap(answer) {
  if (!answer.ok) throw answer.error
  return answer.data
}

/** A client with a method for every operation, and `stream` for those that stream. */
export function createOnoma(options = {}) {
  const { baseUrl = 'http://127.0.0.1:8080', retryMs = 30_000, headers = {}, pay, now = Date.now } = options
  const { maxUsdPerCall = 0, maxUsdPerDay = maxUsdPerCall } = options
  const send = options.fetch ?? fetch
  const wait = options.sleep ?? sleep
  /** What was spent on the day that began last, in millionths of a dollar: sums of fractions would drift. */
  const spent = { day: 0, micros: 0 }

  /** Why a price is above a cap; undefined if it may be paid, which counts it. */
  const spend = (usd) => {
    const micros = Math.ceil(usd * 1e6)
    const day = Math.floor(now() / DAY_MS)
    if (day !== spent.day) Object.assign(spent, { day, micros: 0 })
    if (micros > maxUsdPerCall * 1e6) return `The price of $${usd} is above maxUsdPerCall ($${maxUsdPerCall}).`
    if (spent.micros + micros > Math.round(maxUsdPerDay * 1e6))
      return `With $${spent.micros / 1e6} spent today, the price of $${usd} is above maxUsdPerDay ($${maxUsdPerDay}).`
    spent.micros += micros
    return undefined
  }

  /** Sends a request until it is answered, or the budget for waiting is used up. Throws only if aborted. */
  const deliver = async (request, signal, budget) => {
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      let response
      let cause
      try {
        response = await send(request.url, { ...request.init, signal })
        if (!RETRIED.has(response.status)) return response
      } catch (error) {
        signal?.throwIfAborted()
        cause = error
      }
      const asked = response && retryAfterMs(response, now())
      const delayMs = asked ?? Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS)
      // An operator must act before this can succeed: the service names no time.
      const isHopeless = response?.status === 503 && asked === null
      if (isHopeless || delayMs > budget.ms)
        return response ?? new OnomaError('network_error', `${request.url} cannot be reached.`, { cause })
      budget.ms -= delayMs
      await response?.body?.cancel()
      await wait(delayMs, signal)
    }
  }

  /** The response, paid for if that is wanted and allowed; or an error. */
  const request = async (name, input = {}, { signal, accept = 'application/json', idempotencyKey } = {}) => {
    const prepared = prepare(name, input, { baseUrl, headers, accept, idempotencyKey })
    const budget = { ms: retryMs }
    const response = await deliver(prepared, signal, budget)
    if (response instanceof OnomaError || response.status !== 402 || !pay) return response
    const quote = await parseQuote(response)
    if (!quote) return new OnomaError('unknown_price', 'The price of the answer cannot be read.', { status: 402 })
    const problem = spend(quote.usd)
    if (problem) return new OnomaError('spending_cap', problem, { status: 402 })
    let payment
    try {
      payment = await pay({ ...quote, operation: name, url: prepared.url, response })
    } catch (error) {
      // Nothing was sent, so nothing was spent.
      spent.micros -= Math.ceil(quote.usd * 1e6)
      throw error
    }
    // The same payment again if the outcome is not known: a second one could be charged, too. With the token the answer
    // can be fetched again.
    const init = { ...prepared.init, headers: { ...prepared.init.headers, 'Payment-Token': randomToken(), ...payment } }
    const paid = await deliver({ url: prepared.url, init }, signal, budget)
    // Only the service itself knows, and it has not said.
    if (paid instanceof OnomaError || RETRIED.has(paid.status))
      return new OnomaError('payment_unknown', PAYMENT_UNKNOWN, { status: paid.status, cause: paid.cause })
    // Refused, so not charged.
    if (paid.status === 402) spent.micros -= Math.ceil(quote.usd * 1e6)
    return paid
  }

  const call = async (name, input, given) => {
    const response = await request(name, input, given)
    if (response instanceof OnomaError) return { ok: false, error: response }
    const body = await response.json().catch(() => undefined)
    if (body === undefined || typeof body !== 'object')
      return { ok: false, error: new OnomaError('invalid_response', notOnoma(response), { status: response.status }) }
    if (response.ok) return { ok: true, data: body, response }
    return { ok: false, error: errorOf(response, body, now()) }
  }

  async function* stream(name, input, given = {}) {
    const response = await request(name, input, { ...given, accept: 'application/x-ndjson' })
    if (response instanceof OnomaError) throw response
    if (!response.ok) throw errorOf(response, (await response.json().catch(() => null)) ?? {}, now())
    let rest = ''
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    try {
      for (;;) {
        const { value, done } = await reader.read()
        const lines = (rest + (value ?? '')).split('\n')
        rest = done ? '' : lines.pop()
        for (const line of lines) if (line.trim() !== '') yield parseLine(line)
        if (done) return
      }
    } finally {
      // Leaving the loop early ends the work of the service, too.
      await reader.cancel().catch(() => {})
    }
  }

  const onoma = { stream: {}, spentToday: () => (spent.day === Math.floor(now() / DAY_MS) ? spent.micros / 1e6 : 0) }
  for (const [name, [, , streams]] of Object.entries(OPERATIONS)) {
    onoma[name] = (input, given) => call(name, input, given)
    if (streams) onoma.stream[name] = (input, given) => stream(name, input, given)
  }
  return onoma
}

function prepare(name, input, { baseUrl, headers, accept, idempotencyKey }) {
  const [method, path] = OPERATIONS[name]
  const fields = { ...input }
  const target = path.replace(/\{(\w+)\}/g, (_, field) => {
    const value = fields[field]
    delete fields[field]
    return encodeURIComponent(value ?? '')
  })
  const url = new URL(baseUrl.replace(/\/+$/, '') + target)
  const init = { method, headers: { accept, ...headers, ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) } }
  if (method === 'POST') {
    init.headers['content-type'] = 'application/json'
    init.body = JSON.stringify(fields)
  } else
    for (const [field, value] of Object.entries(fields))
      if (value !== undefined && value !== null) url.searchParams.set(field, String(value))
  return { url: url.href, init }
}

/** What a 402 asks, in dollars: all accepted tokens have six decimals. */
async function parseQuote(response) {
  try {
    const required = response.headers.get('payment-required')
    const x402 = required === null ? null : JSON.parse(decodeBase64(required))
    const accepted = x402?.accepts.find(({ scheme, network }) => scheme === 'exact' && network === 'eip155:8453')
    const challenge = /request="([\w-]+)"/.exec(response.headers.get('www-authenticate') ?? '')
    const mpp = challenge && JSON.parse(decodeBase64(challenge[1].replaceAll('-', '+').replaceAll('_', '/')))
    const amounts = [accepted?.amount, mpp?.amount].filter((amount) => /^\d{1,15}$/.test(amount ?? ''))
    if (amounts.length === 0) return undefined
    // The dearer one, if the two protocols should differ.
    return { usd: Math.max(...amounts.map(Number)) / 1e6, x402: accepted && { ...x402, accepted } }
  } catch {
    return undefined
  }
}

const TRANSFER = [
  'from address',
  'to address',
  'value uint256',
  'validAfter uint256',
  'validBefore uint256',
  'nonce bytes32',
]
const CLOCK_SKEW_SECONDS = 600

/** Pays by x402 in USDC on Base. The account signs typed data (EIP-712), as accounts of viem do. */
export const payWithX402 =
  (account) =>
  async ({ x402, response }) => {
    if (!x402) throw new OnomaError('unsupported_payment', 'The service does not accept USDC on Base.')
    const { accepted, resource } = x402
    // By the clock of the service: the one of this machine may be wrong.
    const seconds = Math.floor((Date.parse(response.headers.get('date') ?? '') || Date.now()) / 1000)
    const authorization = {
      from: account.address,
      to: accepted.payTo,
      value: accepted.amount,
      validAfter: String(seconds - CLOCK_SKEW_SECONDS),
      validBefore: String(seconds + accepted.maxTimeoutSeconds),
      nonce: `0x${Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
    }
    const { name, version } = accepted.extra
    const signature = await account.signTypedData({
      domain: { name, version, chainId: 8453, verifyingContract: accepted.asset },
      types: {
        TransferWithAuthorization: TRANSFER.map((text) => text.split(' ')).map(([field, type]) => ({
          name: field,
          type,
        })),
      },
      primaryType: 'TransferWithAuthorization',
      message: authorization,
    })
    const payment = { x402Version: 2, resource, accepted, payload: { signature, authorization } }
    return { 'PAYMENT-SIGNATURE': btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(payment)))) }
  }

const errorOf = (response, body, now) =>
  new OnomaError(body.error ?? 'invalid_response', body.message ?? notOnoma(response), {
    status: response.status,
    retryAfterMs: retryAfterMs(response, now),
    body,
  })

const notOnoma = ({ status, url }) =>
  `${url} answered ${status} with something else than JSON: is this an Onoma service?`

/** In milliseconds; null without the header. */
function retryAfterMs({ headers }, now) {
  const value = headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(ms, 0) : null
}

function parseLine(line) {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new OnomaError('invalid_response', 'The stream has a line that is not JSON.', { cause })
  }
}

const randomToken = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decodeBase64 = (text) => new TextDecoder().decode(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)))

const sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
