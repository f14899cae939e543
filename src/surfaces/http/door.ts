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
      }
      void respond(door, exchange)
    },
    drain() {
      state.draining = true
    },
  }
}

/** Always sends one answer and counts it. Never throws. */
async function respond(door: DoorState, exchange: Exchange): Promise<void> {
  const { log } = door
  try {
    let status: number | undefined
    try {
      await answer(door, exchange)
    } catch (thrown) {
      const { resource } = exchange
      const error = explain(log, exchange, thrown, resource?.kind === 'route' ? resource.route.endpoint : undefined)
      if (!isClosed(exchange)) {
        sendError(exchange, error)
        status = error.status
      }
    }
    if (status === undefined && isClosed(exchange)) finishClosed(door, exchange)
    else finish(door, exchange, status ?? exchange.response.statusCode, 'Answered.')
  } catch (error) {
    log.error({ request: exchange.id, error }, 'An answer could not be sent.')
    exchange.response.destroy()
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
