import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { asApiError, errorBody, reasonsOf } from '../../kernel/error-response.ts'
import { parseInput, parseTextField } from '../../kernel/input.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Random } from '../../kernel/random.ts'
import type { RateDecision, RateLimiter } from '../../kernel/rate-limit.ts'
import { discardBody, readJsonObject } from './body.ts'
import { clientAddress, rateKey } from './client-address.ts'
import type { Call, CallResult, EndpointResource, Exchange, Mount } from './exchange.ts'
import { hasOneValidHost } from './host.ts'
import { refusalStatus } from './listener.ts'
import { countPayment, type PaymentCount } from './paid-rate.ts'
import { bringsPayment, sell, type Checkout } from './paid.ts'
import { brokenSentence } from './problem.ts'
import { decode, parseQuery } from './query.ts'
import { RequestContext } from './request-context.ts'
import { resources } from './resources.ts'
import { sendAnswer, sendError, sendOptions, sendPaid } from './send.ts'
import { sendStream, streamFormat } from './stream.ts'

export type DoorNeeds = {
  readonly routes: readonly Route[]
  /** Addresses that are not endpoint values: documents, other protocols. */
  readonly mounts?: readonly Mount[]
  readonly limiter: RateLimiter
  readonly isTrustedProxy: (address: string) => boolean
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Pick<Metrics, 'answered'>
  /** Without it paid endpoints answer 503. */
  readonly checkout?: Checkout | undefined
}

export type Door = {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Closes each connection after its next answer, so that clients reconnect to another instance. */
  drain(): void
}

/** Metrics status of a request whose client disconnected before the answer was complete; never sent. */
const CLIENT_CLOSED_REQUEST = 499

/** Request ids accepted from a client or proxy: nothing that could break a log line or a header. */
const REQUEST_ID = /^[\w.-]{8,64}$/

/** The HTTP entry: finds the endpoint, applies the rate limit, parses the input, runs the handler, sends the answer. */
export function createDoor(needs: DoorNeeds): Door {
  const { limiter, isTrustedProxy, clock, random, log, metrics } = needs
  const find = resources(needs.routes, needs.mounts ?? [])
  const isLimited = Number.isFinite(limiter.quota)
  const policy = `"default";q=${limiter.quota};w=${limiter.windowSeconds}`
  const state = { draining: false }

  async function answer(exchange: Exchange): Promise<void> {
    const { request } = exchange
    if (!hasOneValidHost(request)) {
      // Close: further requests on this connection may be meant for another host.
      exchange.response.shouldKeepAlive = false
      throw new ApiError('invalid_request', 'A request must have exactly one Host header with a valid host.')
    }
    const target = originForm(request.url!)
    const queryAt = target.indexOf('?')
    const path = queryAt < 0 ? target : target.slice(0, queryAt)
    const found = find(path)
    if (!found) {
      if (request.method === 'OPTIONS' && path === '*') return sendOptions(exchange, 'GET, HEAD, POST, OPTIONS')
      throw new ApiError('not_found', 'There is nothing at this address; /openapi.json lists all endpoints.')
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
    if (resource.kind === 'mount') {
      return resource.mount.handle(exchange, (...called) => call(exchange, ...called))
    }
    const client = rateKey(clientAddress(request, isTrustedProxy))
    const { endpoint } = resource.route
    const mayPay = endpoint.price !== undefined && bringsPayment(exchange)
    if (endpoint.price) exchange.paymentHeaders = needs.checkout?.headers
    let payment: PaymentCount | undefined
    if (endpoint.rate === 'counted' && mayPay) {
      payment = await countPayment(limiter, client)
      count(exchange, payment.decision)
      if (!payment.isAllowed) throw tooMany(payment.decision, resource.limitedAs)
    } else if (endpoint.rate === 'counted') {
      const decided = limiter.take(client)
      const decision = decided instanceof Promise ? await decided : decided
      count(exchange, decision)
      if (!decision.allowed) throw tooMany(decision, resource.limitedAs)
    }
    const body = endpoint.method === 'POST' ? await readJsonObject(request, endpoint) : undefined
    const raw = body?.fields ?? {}
    parseAddress(resource, found.parameters, queryAt < 0 ? '' : target.slice(queryAt + 1), raw, exchange)
    const context = new RequestContext(exchange, client, limiter)
    if (endpoint.price) {
      const input = validateInput(resource.route, raw, needs.checkout)
      const refusal = payment?.needsSignature ? tooMany(payment.decision, resource.limitedAs) : undefined
      const call = { route: resource.route, input, body: body?.bytes, context, mayPay, refusal }
      const answer = await sell(needs.checkout!, exchange, call)
      if (payment && answer.isSettled) count(exchange, await payment.giveBack())
      return sendPaid(exchange, answer)
    }
    const format = streamFormat(resource.route.endpoint, request.headers.accept)
    if (format && resource.route.stream && request.method !== 'HEAD') {
      const pieces = resource.route.stream(validateInput(resource.route, raw, needs.checkout), context)
      return sendStream(exchange, format, pieces, (thrown) => explain(exchange, thrown, resource.route.endpoint))
    }
    const result = resource.route.run(validateInput(resource.route, raw, needs.checkout), context)
    const sent = sendAnswer(exchange, resource, result instanceof Promise ? await result : result)
    if (sent) await sent
  }

  function count(exchange: Exchange, { remaining, seconds }: RateDecision): void {
    if (!isLimited) return
    exchange.rate = ['RateLimit-Policy', policy, 'RateLimit', `"default";r=${remaining};t=${seconds}`]
  }

  const tooMany = ({ seconds }: RateDecision, code: 'rate_limited' | 'rate_limit_exceeded'): ApiError =>
    new ApiError(
      code,
      `More than ${limiter.quota} requests in a minute came from your address; ask again in ${seconds} s.`,
      { headers: { 'Retry-After': String(seconds) } },
    )

  /** Runs an endpoint for a call that arrived inside another protocol's request. */
  async function call(exchange: Exchange, ...[route, raw, signal]: Parameters<Call>): Promise<CallResult> {
    const { endpoint } = route
    const started = clock.monotonic()
    const client = rateKey(clientAddress(exchange.request, isTrustedProxy))
    let status = 200
    try {
      if (endpoint.rate === 'counted') {
        const decision = await limiter.take(client)
        if (!decision.allowed) throw tooMany(decision, endpoint.limitedAs ?? 'rate_limit_exceeded')
      }
      const context = { requestId: exchange.id, signal, spend: (cost: number) => limiter.take(client, cost) }
      const input = validateInput(route, raw, needs.checkout)
      if (endpoint.price)
        throw new ApiError(
          'payment_required',
          `This is paid per request: ask ${endpoint.method} ${endpoint.path} over HTTP, which answers with how to pay.`,
        )
      return { ok: true, body: await route.run(input, context) }
    } catch (thrown) {
      const error = explain(exchange, thrown, endpoint, signal.aborted)
      status = signal.aborted ? CLIENT_CLOSED_REQUEST : error.status
      return { ok: false, error: errorBody(error) }
    } finally {
      metrics.answered(endpoint.name, 'mcp', status, (clock.monotonic() - started) / 1000)
    }
  }

  /** Turns anything thrown into the error the caller gets, and logs what the operator needs. */
  function explain(
    exchange: Exchange,
    thrown: unknown,
    endpoint: Endpoint | undefined,
    isAborted = isClosed(exchange),
  ): ApiError {
    const error = asApiError(thrown, endpoint, brokenSentence(exchange.id))
    const name = endpoint?.name ?? 'none'
    // An aborted handler can fail in many ways; none of them is an error of the service or of an upstream.
    if (isAborted) log.debug({ request: exchange.id, endpoint: name, reason: reasonsOf(thrown) }, 'Request aborted.')
    else report(exchange, error, name)
    return error
  }

  /** A bug is logged with its stack; a request that could not be served is one line with its reasons. */
  function report(exchange: Exchange, error: ApiError, endpoint: string): void {
    const facts = { request: exchange.id, endpoint, code: error.code }
    if (error.code === 'internal_error')
      log.error({ ...facts, error: error.cause ?? error }, 'Request failed with an internal error.')
    else if (error.status >= 500) log.warn({ ...facts, reason: reasonsOf(error) }, 'Request could not be served.')
  }

  function finish(exchange: Exchange, status: number, sentence: string): void {
    const { resource, started, id, request } = exchange
    const ms = clock.monotonic() - started
    const endpoint = resource?.name ?? 'none'
    metrics.answered(endpoint, 'http', status, ms / 1000)
    log.debug({ request: id, endpoint, method: request.method, status, ms }, sentence)
    if (!request.complete) discardBody(request)
  }

  function finishClosed(exchange: Exchange): void {
    const status = refusalStatus(exchange.request.socket) ?? CLIENT_CLOSED_REQUEST
    finish(exchange, status, 'The client disconnected before the answer was complete.')
  }

  /** Always sends one answer and counts it. Never throws. */
  async function respond(exchange: Exchange): Promise<void> {
    try {
      let status: number | undefined
      try {
        await answer(exchange)
      } catch (thrown) {
        const { resource } = exchange
        const error = explain(exchange, thrown, resource?.kind === 'route' ? resource.route.endpoint : undefined)
        if (!isClosed(exchange)) {
          sendError(exchange, error)
          status = error.status
        }
      }
      if (status === undefined && isClosed(exchange)) finishClosed(exchange)
      else finish(exchange, status ?? exchange.response.statusCode, 'Answered.')
    } catch (error) {
      log.error({ request: exchange.id, error }, 'An answer could not be sent.')
      exchange.response.destroy()
    }
  }

  return {
    handle(request, response) {
      if (state.draining) response.shouldKeepAlive = false
      const given = request.headers['x-request-id']
      const exchange: Exchange = {
        request,
        response,
        clock,
        state,
        id: typeof given === 'string' && REQUEST_ID.test(given) ? given : random.uuid(),
        started: clock.monotonic(),
        rate: undefined,
        paymentHeaders: undefined,
        ignored: undefined,
        resource: undefined,
      }
      void respond(exchange)
    },
    drain() {
      state.draining = true
    },
  }
}

/** Whether the connection was closed before the whole answer was written. */
const isClosed = ({ response }: Exchange): boolean => response.destroyed && !response.writableFinished

/** Validates the input before the price is mentioned. Throws 503 for a paid endpoint if payments are off. */
function validateInput(
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  checkout: Checkout | undefined,
): Record<string, unknown> {
  const input = parseInput(route.endpoint, raw, route.endpoint.method === 'POST' ? 'json' : 'text')
  if (route.endpoint.price && !checkout) throw new ApiError('service_unavailable', 'Payments are not set up here.')
  return input
}

/** A POST has its fields in the body; its query is ignored. */
const NO_FIELDS: EndpointResource['reader'] = Object.freeze({})

/** Parses query and path into `raw`, by the field names of the endpoint. The path wins over query and body. */
function parseAddress(
  { route: { endpoint }, reader }: EndpointResource,
  parameters: Readonly<Record<string, string>>,
  query: string,
  raw: Record<string, unknown>,
  exchange: Exchange,
): void {
  exchange.ignored = parseQuery(query, endpoint.method === 'GET' ? reader : NO_FIELDS, endpoint.complaints, raw)
  for (const name in parameters) raw[name] = parseTextField(reader, name, decode(parameters[name]!))
}

/** A proxy may send the absolute URL as the request target (RFC 9112, 3.2.2): cut the scheme and host off. */
const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
