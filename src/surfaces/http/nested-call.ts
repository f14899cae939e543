import type { Context, Route } from '../../kernel/endpoint.ts'
import { errorBody } from '../../kernel/error-response.ts'
import { clientAddress, rateKey } from './client-address.ts'
import type { DoorState } from './door-state.ts'
import type { Call, CallResult, CallStream, Exchange } from './exchange.ts'
import { CLIENT_CLOSED_REQUEST, explain } from './failure.ts'
import { countPayment, type PaymentCount } from './paid-rate.ts'
import { type Checkout, findCredit, sell, whyClosed } from './paid.ts'
import { rateLimitError, setRateHeaders } from './rate-headers.ts'
import { refuseLater } from './refusal-delay.ts'
import { reportDelivery } from './send.ts'
import { validateInput } from './validate-input.ts'

/** Runs an endpoint for a call that arrived inside another protocol's request. A paid one is sold through the same gate. */
export async function callEndpoint(
  door: DoorState,
  exchange: Exchange,
  ...[route, raw, signal, inBand]: Parameters<Call>
): Promise<CallResult> {
  const { limiter, isTrustedProxy, clock, log, metrics, checkout } = door
  const { endpoint } = route
  const { rate, limitedAs = 'rate_limit_exceeded' } = endpoint
  const started = clock.monotonic()
  const client = rateKey(clientAddress(exchange.request, isTrustedProxy))
  let status = 200
  try {
    // A payment in the call is meant for it; the credit token of the request is there for every call.
    const payment = inBand ?? (endpoint.price && findCredit(exchange))
    const closed = endpoint.price && whyClosed(checkout, exchange.request, isTrustedProxy)
    const mayPay = payment !== undefined && endpoint.price !== undefined && closed === undefined
    const count = rate === 'counted' && mayPay ? await countPayment(limiter, client) : undefined
    const decision = rate === 'counted' ? (count?.decision ?? (await limiter.take(client))) : undefined
    const limited = () => rateLimitError(limiter, decision!, limitedAs)
    if (!(count?.isAllowed ?? decision?.allowed ?? true)) await refuseLater(door, client, limited())
    const context = { requestId: exchange.id, client, signal, spend: (cost: number) => limiter.take(client, cost) }
    const input = validateInput(route, raw, closed)
    if (!endpoint.price) return { ok: true, body: await route.run(input, context) }
    const refusal = count?.needsSignature ? limited() : undefined
    const sold = await sellCall(checkout!, exchange, { route, input, context, payment, count, refusal })
    status = sold.paid.status
    return sold
  } catch (thrown) {
    const error = explain(log, exchange, thrown, endpoint, signal.aborted)
    status = signal.aborted ? CLIENT_CLOSED_REQUEST : error.status
    const retryAfter = error.headers['Retry-After']
    // Over HTTP the header says it.
    const advice = retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }
    return { ok: false, error: { ...errorBody(error), ...advice } }
  } finally {
    const door = exchange.resource?.name === 'mcp' ? 'mcp' : 'http'
    metrics.answered(endpoint.name, door, status, (clock.monotonic() - started) / 1000)
  }
}

/** Runs an endpoint that streams for a page, which sends the pieces in a form of its own. */
export async function streamEndpoint(
  door: DoorState,
  exchange: Exchange,
  ...[route, raw, signal]: Parameters<CallStream>
): Promise<AsyncIterable<unknown>> {
  const { limiter, isTrustedProxy, ratePolicy } = door
  const client = rateKey(clientAddress(exchange.request, isTrustedProxy))
  const decision = await limiter.take(client)
  setRateHeaders(exchange, ratePolicy, decision)
  if (!decision.allowed) await refuseLater(door, client, rateLimitError(limiter, decision, 'rate_limit_exceeded'))
  const context = { requestId: exchange.id, client, signal, spend: (cost: number) => limiter.take(client, cost) }
  return route.stream!(validateInput(route, raw, undefined), context)
}

type Sale = {
  readonly route: Route
  readonly input: Record<string, unknown>
  readonly context: Context
  readonly payment: Parameters<Call>[3]
  readonly count: PaymentCount | undefined
  /** As in `PaidCall`. */
  readonly refusal: Error | undefined
}

async function sellCall(
  checkout: Checkout,
  exchange: Exchange,
  { route, input, context, payment, count, refusal }: Sale,
): Promise<Extract<CallResult, { paid: unknown }>> {
  const paid = await sell(checkout, exchange, {
    route,
    input,
    // The body of the request is another protocol's; the fingerprint of the parameters binds the payment instead.
    body: undefined,
    context,
    mayPay: payment !== undefined,
    payment,
    refusal,
  })
  if (count && paid.isSettled) await count.giveBack()
  // One request may contain many calls.
  exchange.response.setMaxListeners(0)
  reportDelivery(exchange, paid)
  const headers = [...checkout.headers, ...paid.headers]
  return { paid: { ...paid, headers }, price: checkout.priceOf(route.endpoint, input)! }
}
