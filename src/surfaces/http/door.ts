import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { asApiError, errorBody, reasonsOf } from '../../kernel/failing.ts'
import { parseInput, readText } from '../../kernel/input.ts'
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
import { bringsPayment, sell, type Till } from './paid.ts'
import { brokenSentence } from './problem.ts'
import { decode, readQuery } from './query.ts'
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
  /** Without it what is paid stays closed. */
  readonly till?: Till | undefined
}

export type Door = {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** From now on every answer closes its connection, so that clients move on to another instance. */
  drain(): void
}

/** The status under which a client is counted that left before its answer was complete; it is never sent. */
const CLIENT_LEFT = 499

/** A request id a caller or proxy may choose itself: nothing that could break a log line or a header. */
const REQUEST_ID = /^[\w.-]{8,64}$/

/** The way in over HTTP: finds the endpoint, counts the client, reads the input, runs, answers. */
export function createDoor(needs: DoorNeeds): Door {
  const { limiter, isTrustedProxy, clock, random, log, metrics } = needs
  const find = resources(needs.routes, needs.mounts ?? [])
  const isLimited = Number.isFinite(limiter.quota)
  const policy = `"default";q=${limiter.quota};w=${limiter.windowSeconds}`
  const state = { draining: false }

  async function answer(exchange: Exchange): Promise<void> {
    const { request } = exchange
    if (!hasOneValidHost(request)) {
      // What follows on this connection may be meant for another host.
      exchange.response.shouldKeepAlive = false
      throw new ApiError('invalid_request', 'A request must have exactly one Host header with a valid host.')
    }
    const target = originForm(request.url!)
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const found = find(path)
    if (!found) {
      if (request.method === 'OPTIONS' && path === '*') return sendOptions(exchange, 'GET, HEAD, POST, OPTIONS')
      throw new ApiError('not_found', 'There is nothing at this address; /openapi.json lists what there is.')
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
    if (endpoint.price) exchange.marks = needs.till?.marks
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
    const raw = endpoint.method === 'POST' ? await readJsonObject(request, endpoint) : {}
    readAddress(resource, found.parameters, mark < 0 ? '' : target.slice(mark + 1), raw, exchange)
    const context = new RequestContext(exchange, client, limiter)
    if (endpoint.price) {
      const input = admit(resource.route, raw, needs.till)
      const refusal = payment?.needsSignature ? tooMany(payment.decision, resource.limitedAs) : undefined
      const answer = await sell(needs.till!, exchange, { route: resource.route, input, context, mayPay, refusal })
      if (payment && answer.isSettled) count(exchange, await payment.giveBack())
      return sendPaid(exchange, answer)
    }
    const format = streamFormat(resource.route.endpoint, request.headers.accept)
    if (format && resource.route.stream && request.method !== 'HEAD') {
      const pieces = resource.route.stream(admit(resource.route, raw, needs.till), context)
      return sendStream(exchange, format, pieces, (thrown) => explain(exchange, thrown, resource.route.endpoint))
    }
    const result = resource.route.run(admit(resource.route, raw, needs.till), context)
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

  /** The same way in for a call that arrived inside another protocol's request. */
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
      const input = admit(route, raw, needs.till)
      if (endpoint.price)
        throw new ApiError(
          'payment_required',
          `This is paid per request: ${endpoint.method} ${endpoint.path} over HTTP tells how.`,
        )
      return { ok: true, body: await route.run(input, context) }
    } catch (thrown) {
      const error = explain(exchange, thrown, endpoint, signal.aborted)
      status = signal.aborted ? CLIENT_LEFT : error.status
      return { ok: false, error: errorBody(error) }
    } finally {
      metrics.answered(endpoint.name, 'mcp', status, (clock.monotonic() - started) / 1000)
    }
  }

  /** What a caller is told of anything thrown; what we must know of it goes into the log. */
  function explain(
    exchange: Exchange,
    thrown: unknown,
    endpoint: Endpoint | undefined,
    isGone = hasLeft(exchange),
  ): ApiError {
    const error = asApiError(thrown, endpoint, brokenSentence(exchange.id))
    const name = endpoint?.name ?? 'none'
    // Work that is broken off fails in many ways, and none of them is a fault of ours or of somebody upstream.
    if (isGone) log.debug({ request: exchange.id, endpoint: name, reason: reasonsOf(thrown) }, 'Work was broken off.')
    else report(exchange, error, name)
    return error
  }

  /** What broke is ours to mend and is told with all we know; what merely could not be served is a line. */
  function report(exchange: Exchange, error: ApiError, endpoint: string): void {
    const facts = { request: exchange.id, endpoint, code: error.code }
    if (error.code === 'internal_error') log.error({ ...facts, error: error.cause ?? error }, 'A request broke.')
    else if (error.status >= 500) log.warn({ ...facts, reason: reasonsOf(error) }, 'A request could not be served.')
  }

  function finish(exchange: Exchange, status: number, sentence: string): void {
    const { resource, started, id, request } = exchange
    const ms = clock.monotonic() - started
    const endpoint = resource?.name ?? 'none'
    metrics.answered(endpoint, 'http', status, ms / 1000)
    log.debug({ request: id, endpoint, method: request.method, status, ms }, sentence)
    if (!request.complete) discardBody(request)
  }

  function finishLeft(exchange: Exchange): void {
    const status = refusalStatus(exchange.request.socket) ?? CLIENT_LEFT
    finish(exchange, status, 'The connection was closed before the answer was complete.')
  }

  /** Whatever happens on the way, there is one answer, it is counted, and nothing is thrown. */
  async function respond(exchange: Exchange): Promise<void> {
    try {
      let status: number | undefined
      try {
        await answer(exchange)
      } catch (thrown) {
        const { resource } = exchange
        const error = explain(exchange, thrown, resource?.kind === 'route' ? resource.route.endpoint : undefined)
        if (!hasLeft(exchange)) {
          sendError(exchange, error)
          status = error.status
        }
      }
      if (status === undefined && hasLeft(exchange)) finishLeft(exchange)
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
        marks: undefined,
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

/** Whether the connection was closed before the answer was handed over completely. */
const hasLeft = ({ response }: Exchange): boolean => response.destroyed && !response.writableFinished

/** Parameters are checked before money is spoken of; what is paid stays closed while nobody can take payments. */
function admit(route: Route, raw: Readonly<Record<string, unknown>>, till: Till | undefined): Record<string, unknown> {
  const input = parseInput(route.endpoint, raw, route.endpoint.method === 'POST' ? 'json' : 'text')
  if (route.endpoint.price && !till) throw new ApiError('service_unavailable', 'Payments are not set up here.')
  return input
}

/** A POST has its fields in the body: nothing of its query is used. */
const NO_FIELDS: EndpointResource['reader'] = Object.freeze({})

/** What the address says, by the names of the endpoint's input. The path wins over the query and the body. */
function readAddress(
  { route: { endpoint }, reader }: EndpointResource,
  parameters: Readonly<Record<string, string>>,
  query: string,
  raw: Record<string, unknown>,
  exchange: Exchange,
): void {
  exchange.ignored = readQuery(query, endpoint.method === 'GET' ? reader : NO_FIELDS, endpoint.complaints, raw)
  for (const name in parameters) raw[name] = readText(reader, name, decode(parameters[name]!))
}

/** A request that came through a proxy may name the whole URL: the rest after the host is what is asked for. */
const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
