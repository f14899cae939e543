import { ApiError } from '../../kernel/errors.ts'
import { overloaded } from '../../kernel/error-response.ts'
import { parseTextField } from '../../kernel/input.ts'
import { holdBodyBytes, readJsonObject } from './body.ts'
import { clientAddress, rateKey } from './client-address.ts'
import type { DoorState } from './door-state.ts'
import type { EndpointResource, Exchange, Mount, Quota } from './exchange.ts'
import { explain } from './failure.ts'
import { hasOneValidHost } from './host.ts'
import { callEndpoint, streamEndpoint } from './nested-call.ts'
import { countPayment, type PaymentCount } from './paid-rate.ts'
import { bringsPayment, sell, whyClosed } from './paid.ts'
import { decode, parseQuery } from './query.ts'
import type { RateDecision } from '../../kernel/rate-limit.ts'
import { documentLimitError, rateLimitError, setRateHeaders } from './rate-headers.ts'
import { refuseLater } from './refusal-delay.ts'
import { RequestContext } from './request-context.ts'
import { sendAnswer, sendOptions, sendPaid } from './send.ts'
import { sendStream, streamFormat } from './stream.ts'
import { validateInput } from './validate-input.ts'

/**
 * Finds what is at the address and lets it answer. Throws, or rejects with, what becomes an error response. Undefined if the
 * answer was sent synchronously: a request that waits for nothing needs no promise.
 */
export function answer(door: DoorState, exchange: Exchange): Promise<void> | void {
  const { request } = exchange
  if (!hasOneValidHost(request)) {
    // Close: further requests on this connection may be meant for another host.
    exchange.response.shouldKeepAlive = false
    throw new ApiError('invalid_request', 'A request must have exactly one Host header with a valid host.')
  }
  const target = originForm(request.url!)
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  const found = door.find(path)
  if (!found) {
    if (request.method === 'OPTIONS' && path === '*') return sendOptions(exchange, 'GET, HEAD, POST, OPTIONS')
    throw new ApiError('not_found', 'There is nothing at this address; /docs and /openapi.json list all endpoints.')
  }
  const method = request.method === 'HEAD' ? 'GET' : request.method!
  const resource = found.address.byMethod.get(method)
  if (!resource) {
    if (method === 'OPTIONS') return sendOptions(exchange, found.address.allow)
    throw new ApiError('method_not_allowed', `${method} is not allowed here; use ${found.address.allow}.`, {
      headers: { Allow: found.address.allow },
    })
  }
  exchange.resource = resource
  if (resource.kind === 'mount') return answerMount(door, exchange, resource.mount)
  const query = queryAt < 0 ? '' : target.slice(queryAt + 1)
  return answerEndpoint(door, exchange, resource, found.parameters, query)
}

async function answerMount(door: DoorState, exchange: Exchange, mount: Mount): Promise<void> {
  const quota: Quota = {
    async takeDocuments(count) {
      const { documentLimiter } = door
      if (!documentLimiter) return
      const client = rateKey(clientAddress(exchange.request, door.isTrustedProxy))
      const decision = await documentLimiter.take(client, count)
      if (!decision.allowed) await refuseLater(door, client, documentLimitError(documentLimiter, decision))
    },
    holdBodyBytes: (bytes) => holdBodyBytes(exchange, bytes),
  }
  if (door.maxRequests !== undefined && door.state.active > door.maxRequests && mount.rate !== 'free')
    throw overloaded()
  if (mount.rate === 'document') await quota.takeDocuments(1)
  await mount.handle(
    exchange,
    (...called) => callEndpoint(door, exchange, ...called),
    quota,
    (...called) => streamEndpoint(door, exchange, ...called),
  )
}

/** What the steps of one request share. */
type EndpointCall = {
  readonly door: DoorState
  readonly exchange: Exchange
  readonly resource: EndpointResource
  /** Of the path. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: string
  readonly client: string
}

/** Applies the rate limit, parses the input, runs the handler and sends its answer. An endpoint with a price is charged. */
function answerEndpoint(
  door: DoorState,
  exchange: Exchange,
  resource: EndpointResource,
  parameters: Readonly<Record<string, string>>,
  query: string,
): Promise<void> | void {
  const { endpoint } = resource.route
  if (door.maxRequests !== undefined && door.state.active > door.maxRequests && endpoint.rate === 'counted')
    throw overloaded()
  const client = rateKey(clientAddress(exchange.request, door.isTrustedProxy))
  const call: EndpointCall = { door, exchange, resource, parameters, query, client }
  if (endpoint.price) return answerPaid(call, whyClosed(door.checkout, exchange.request, door.isTrustedProxy))
  const counting = endpoint.rate === 'counted' ? countRequest(call) : undefined
  return counting ? counting.then(() => answerFree(call)) : answerFree(call)
}

/** Undefined if the request was counted synchronously and may be answered. */
function countRequest(call: EndpointCall): Promise<void> | undefined {
  const { door, client } = call
  const decided = door.limiter.take(client)
  return decided instanceof Promise ? decided.then((decision) => heed(call, decision)) : heed(call, decided)
}

/** Undefined if the request may be answered; otherwise rejects with the refusal. */
function heed({ door, exchange, resource, client }: EndpointCall, decision: RateDecision): Promise<void> | undefined {
  setRateHeaders(exchange, door.ratePolicy, decision)
  if (decision.allowed) return undefined
  return refuseLater(door, client, rateLimitError(door.limiter, decision, resource.limitedAs))
}

function answerFree(call: EndpointCall): Promise<void> | void {
  const { endpoint } = call.resource.route
  if (endpoint.method !== 'POST') return runEndpoint(call, {})
  return readJsonObject(call.exchange, endpoint).then(({ fields }) => runEndpoint(call, fields))
}

function runEndpoint(call: EndpointCall, raw: Record<string, unknown>): Promise<void> | void {
  const { door, exchange, resource, client } = call
  const { route } = resource
  const { request } = exchange
  parseAddress(call, raw)
  const context = new RequestContext(exchange, client, door.limiter)
  const input = validateInput(route, raw, undefined)
  const format = streamFormat(route.endpoint, request.headers)
  if (format && route.stream && request.method !== 'HEAD') {
    return sendStream(exchange, format, route.stream(input, context), (thrown) =>
      explain(door.log, exchange, thrown, route.endpoint),
    )
  }
  const result = route.run(input, context)
  return result instanceof Promise
    ? result.then((body) => sendAnswer(exchange, resource, body))
    : sendAnswer(exchange, resource, result)
}

/** `closed` says why nothing is sold; undefined if the endpoint is open. */
async function answerPaid(call: EndpointCall, closed: string | undefined): Promise<void> {
  const { door, exchange, resource, client } = call
  const { limiter, checkout, ratePolicy } = door
  const { route, limitedAs } = resource
  const { endpoint } = route
  const mayPay = closed === undefined && bringsPayment(exchange)
  if (closed === undefined) exchange.paymentHeaders = checkout?.headers
  let payment: PaymentCount | undefined
  if (endpoint.rate === 'counted' && mayPay) {
    payment = await countPayment(limiter, client)
    setRateHeaders(exchange, ratePolicy, payment.decision)
    if (!payment.isAllowed) await refuseLater(door, client, rateLimitError(limiter, payment.decision, limitedAs))
  } else if (endpoint.rate === 'counted') {
    const counting = countRequest(call)
    if (counting) await counting
  }
  const body = endpoint.method === 'POST' ? await readJsonObject(exchange, endpoint) : undefined
  const raw = body?.fields ?? {}
  parseAddress(call, raw)
  const context = new RequestContext(exchange, client, limiter)
  const input = validateInput(route, raw, closed)
  const refusal = payment?.needsSignature ? rateLimitError(limiter, payment.decision, limitedAs) : undefined
  const paid = await sell(checkout!, exchange, { route, input, body: body?.bytes, context, mayPay, refusal })
  if (payment && paid.isSettled) setRateHeaders(exchange, ratePolicy, await payment.giveBack())
  sendPaid(exchange, paid)
}

/** A POST has its fields in the body; its query is ignored. */
const NO_FIELDS: EndpointResource['fields'] = new Map()

/** Parses query and path into `raw`, by the field names of the endpoint. The path wins over query and body. */
function parseAddress({ resource, parameters, query, exchange }: EndpointCall, raw: Record<string, unknown>): void {
  const { fields, route } = resource
  const { endpoint } = route
  exchange.ignored = parseQuery(query, endpoint.method === 'GET' ? fields : NO_FIELDS, endpoint.complaints, raw)
  for (const name in parameters) raw[name] = parseTextField(fields.get(name)!.kind, decode(parameters[name]!))
}

/** A proxy may send the absolute URL as the request target (RFC 9112, 3.2.2): cut the scheme and host off. */
const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
