import { ApiError } from '../../kernel/errors.ts'
import { errorBody } from '../../kernel/error-response.ts'
import { clientAddress, rateKey } from './client-address.ts'
import type { DoorState } from './door-state.ts'
import type { Call, CallResult, Exchange } from './exchange.ts'
import { CLIENT_CLOSED_REQUEST, explain } from './failure.ts'
import { whyClosed } from './paid.ts'
import { rateLimitError } from './rate-headers.ts'
import { validateInput } from './validate-input.ts'

/** Runs an endpoint for a call that arrived inside another protocol's request. */
export async function callEndpoint(
  { limiter, isTrustedProxy, clock, log, metrics, checkout }: DoorState,
  exchange: Exchange,
  ...[route, raw, signal]: Parameters<Call>
): Promise<CallResult> {
  const { endpoint } = route
  const started = clock.monotonic()
  const client = rateKey(clientAddress(exchange.request, isTrustedProxy))
  let status = 200
  try {
    if (endpoint.rate === 'counted') {
      const decision = await limiter.take(client)
      if (!decision.allowed) throw rateLimitError(limiter, decision, endpoint.limitedAs ?? 'rate_limit_exceeded')
    }
    const context = { requestId: exchange.id, client, signal, spend: (cost: number) => limiter.take(client, cost) }
    const input = validateInput(route, raw, endpoint.price && whyClosed(checkout, exchange.request))
    if (endpoint.price)
      throw new ApiError(
        'payment_required',
        `This is paid per request: ask ${endpoint.method} ${endpoint.path} over HTTP, which answers with how to pay.`,
      )
    return { ok: true, body: await route.run(input, context) }
  } catch (thrown) {
    const error = explain(log, exchange, thrown, endpoint, signal.aborted)
    status = signal.aborted ? CLIENT_CLOSED_REQUEST : error.status
    return { ok: false, error: errorBody(error) }
  } finally {
    metrics.answered(endpoint.name, 'mcp', status, (clock.monotonic() - started) / 1000)
  }
}
