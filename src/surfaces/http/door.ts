import type { IncomingMessage, ServerResponse } from 'node:http'
import { answer } from './answer.ts'
import { discardBody } from './body.ts'
import { createDoorState, type DoorNeeds, type DoorState } from './door-state.ts'
import type { Exchange } from './exchange.ts'
import { CLIENT_CLOSED_REQUEST, explain, isClosed } from './failure.ts'
import { refusalStatus } from './refusals.ts'
import { sendError } from './send.ts'

export type { DoorNeeds } from './door-state.ts'

export type Door = {
  handle(request: IncomingMessage, response: ServerResponse): void
  /** Closes each connection after its next answer, so that clients reconnect to another instance. */
  drain(): void
}

/** Request ids accepted from a client or proxy: nothing that could break a log line or a header. */
const REQUEST_ID = /^[\w.-]{8,64}$/

/** The HTTP entry: finds the endpoint, applies the rate limit, parses the input, runs the handler, sends the answer. */
export function createDoor(needs: DoorNeeds): Door {
  const door = createDoorState(needs)
  const { clock, random, state } = door
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
        bodyBytes: 0,
      }
      state.active++
      respond(door, exchange)
    },
    drain() {
      state.draining = true
    },
  }
}

/** Always sends one answer and counts it. Never throws. */
function respond(door: DoorState, exchange: Exchange): void {
  let answering: Promise<void> | void
  try {
    answering = answer(door, exchange)
  } catch (thrown) {
    return fail(door, exchange, thrown)
  }
  if (answering === undefined) settle(door, exchange)
  else
    void answering.then(
      () => settle(door, exchange),
      (thrown: unknown) => fail(door, exchange, thrown),
    )
}

function fail(door: DoorState, exchange: Exchange, thrown: unknown): void {
  settle(door, exchange, () => {
    const { resource } = exchange
    const error = explain(door.log, exchange, thrown, resource?.kind === 'route' ? resource.route.endpoint : undefined)
    if (isClosed(exchange)) return undefined
    sendError(exchange, error, door.publicUrl?.() ?? '')
    return error.status
  })
}

/** Counts the answer, after the error response if `sendFailure` has to send one: it returns the status. */
function settle(door: DoorState, exchange: Exchange, sendFailure?: () => number | undefined): void {
  const { state, log } = door
  try {
    const status = sendFailure?.()
    if (status === undefined && isClosed(exchange)) finishClosed(door, exchange)
    else finish(door, exchange, status ?? exchange.response.statusCode, 'Answered.')
  } catch (error) {
    log.error({ request: exchange.id, error }, 'An answer could not be sent.')
    exchange.response.destroy()
  } finally {
    state.active--
    state.bodyBytes -= exchange.bodyBytes
  }
}

function finishClosed(door: DoorState, exchange: Exchange): void {
  const status = refusalStatus(exchange.request.socket) ?? CLIENT_CLOSED_REQUEST
  finish(door, exchange, status, 'The client disconnected before the answer was complete.')
}

function finish({ clock, metrics, log }: DoorState, exchange: Exchange, status: number, sentence: string): void {
  const { resource, started, id, request } = exchange
  const ms = clock.monotonic() - started
  const endpoint = resource?.name ?? 'none'
  metrics.answered(endpoint, 'http', status, ms / 1000)
  log.debug({ request: id, endpoint, method: request.method, status, ms }, sentence)
  if (!request.complete) discardBody(request)
}
