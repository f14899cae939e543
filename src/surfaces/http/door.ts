import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Context, Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { asApiError, errorBody } from '../../kernel/failing.ts'
import { parseInput, readText } from '../../kernel/input.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Random } from '../../kernel/random.ts'
import type { RateDecision, RateLimiter } from '../../kernel/rate-limit.ts'
import { discardBody, readJsonObject } from './body.ts'
import { clientAddress, rateKey } from './client-address.ts'
import type { Call, CallResult, EndpointResource, Exchange, Mount } from './exchange.ts'
import { brokenSentence } from './problem.ts'
import { decode, readQuery } from './query.ts'
import { resources } from './resources.ts'
import { sendAnswer, sendError, sendOptions } from './send.ts'

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
}

export type Door = {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** From now on every answer closes its connection, so that clients move on to another instance. */
  drain(): void
}

/** A request id a caller or proxy may choose itself: nothing that could break a log line or a header. */
const REQUEST_ID = /^[\w.-]{8,64}$/

/** The way in over HTTP: finds the endpoint, counts the client, reads the input, runs, answers. */
export function createDoor(needs: DoorNeeds): Door {
  const { limiter, isTrustedProxy, clock, random, log, metrics } = needs
  const find = resources(needs.routes, needs.mounts ?? [])
  const policy = `"default";q=${limiter.quota};w=${limiter.windowSeconds}`
  const state = { draining: false }

  async function answer(exchange: Exchange): Promise<void> {
    const { request } = exchange
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
    if (resource.route.endpoint.rate === 'counted') {
      const decided = limiter.take(rateKey(clientAddress(request, isTrustedProxy)))
      count(exchange, decided instanceof Promise ? await decided : decided, resource)
    }
    const raw = await read(resource, found.parameters, mark < 0 ? '' : target.slice(mark + 1), exchange)
    const result = perform(resource.route, raw, contextOf(exchange))
    await sendAnswer(exchange, resource, result instanceof Promise ? await result : result)
  }

  function count(exchange: Exchange, decision: RateDecision, { limitedAs }: EndpointResource): void {
    exchange.rate = ['RateLimit-Policy', policy, 'RateLimit', `"default";r=${decision.remaining};t=${decision.seconds}`]
    if (!decision.allowed) throw tooMany(decision, limitedAs)
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
    let status = 200
    try {
      if (endpoint.rate === 'counted') {
        const decision = await limiter.take(rateKey(clientAddress(exchange.request, isTrustedProxy)))
        if (!decision.allowed) throw tooMany(decision, endpoint.limitedAs ?? 'rate_limit_exceeded')
      }
      return { ok: true, body: await perform(route, raw, { requestId: exchange.id, signal }) }
    } catch (thrown) {
      const error = asApiError(thrown, endpoint, brokenSentence(exchange.id))
      status = error.status
      report(exchange, error, endpoint.name)
      return { ok: false, error: errorBody(error) }
    } finally {
      metrics.answered(endpoint.name, 'mcp', status, (clock.monotonic() - started) / 1000)
    }
  }

  /** What broke is ours to mend and is told with all we know; what merely could not be served is a line. */
  function report(exchange: Exchange, error: ApiError, endpoint: string): void {
    const facts = { request: exchange.id, endpoint, code: error.code }
    if (error.code === 'internal_error') log.error({ ...facts, error: error.cause ?? error }, 'A request broke.')
    else if (error.status >= 500) log.warn({ ...facts, reason: causesOf(error) }, 'A request could not be served.')
  }

  function finish(exchange: Exchange): void {
    const { response, resource, started, id } = exchange
    const ms = clock.monotonic() - started
    const endpoint = resource?.name ?? 'none'
    metrics.answered(endpoint, 'http', response.statusCode, ms / 1000)
    log.debug({ request: id, endpoint, method: exchange.request.method, status: response.statusCode, ms }, 'Answered.')
    if (!exchange.request.complete) discardBody(exchange.request)
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
        ignored: undefined,
        resource: undefined,
      }
      answer(exchange)
        .catch((thrown: unknown) => {
          const { resource } = exchange
          const endpoint = resource?.kind === 'route' ? resource.route.endpoint : undefined
          const error = asApiError(thrown, endpoint, brokenSentence(exchange.id))
          report(exchange, error, resource?.name ?? 'none')
          sendError(exchange, error)
        })
        .then(() => finish(exchange))
        .catch((error: unknown) => {
          log.error({ request: exchange.id, error }, 'An answer could not be sent.')
          response.destroy()
        })
    },
    drain() {
      state.draining = true
    },
  }
}

/** Parameters are checked before money is spoken of; what is paid stays closed while nobody can take payments. */
function perform(route: Route, raw: Readonly<Record<string, unknown>>, context: Context): unknown {
  const input = parseInput(route.endpoint, raw)
  if (route.endpoint.price) throw new ApiError('service_unavailable', 'Payments are not set up here.')
  return route.run(input, context)
}

/** The sentences of an error and of what caused it. */
function causesOf(error: unknown): string[] {
  const sentences: string[] = []
  for (let at = error; at instanceof Error && sentences.length < 5; at = at.cause) sentences.push(at.message)
  return sentences
}

/** Everything a request says, by the names of the endpoint's input. What the path says wins over the query. */
async function read(
  { route, reader }: EndpointResource,
  parameters: Readonly<Record<string, string>>,
  query: string,
  exchange: Exchange,
): Promise<Record<string, unknown>> {
  const { endpoint } = route
  const raw = endpoint.method === 'POST' ? await readJsonObject(exchange.request) : {}
  if (endpoint.method === 'GET') {
    const { ignored } = readQuery(query, reader, endpoint.complaints, raw)
    if (ignored.length > 0) exchange.ignored = ignored
  }
  for (const name in parameters) raw[name] = readText(reader, name, decode(parameters[name]!))
  return raw
}

/** A request that came through a proxy may name the whole URL: the rest after the host is what is asked for. */
const originForm = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')

/** Most handlers never look at the signal: it is made when one does. */
function contextOf({ id, response }: Exchange): Context {
  let controller: AbortController | undefined
  return {
    requestId: id,
    get signal() {
      if (!controller) {
        const made = (controller = new AbortController())
        if (response.destroyed) made.abort()
        else response.once('close', () => response.writableFinished || made.abort(new Error('The caller went away.')))
      }
      return controller.signal
    },
  }
}
