import type { Endpoint } from '../../kernel/endpoint.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { asApiError, reasonsOf } from '../../kernel/error-response.ts'
import type { Log } from '../../kernel/log.ts'
import type { Exchange } from './exchange.ts'
import { brokenSentence } from './problem.ts'

/** Metrics status of a request whose client disconnected before the answer was complete; never sent. */
export const CLIENT_CLOSED_REQUEST = 499

/** Whether the connection was closed before the whole answer was written. */
export const isClosed = ({ response }: Exchange): boolean => response.destroyed && !response.writableFinished

/** Turns anything thrown into the error the caller gets, and logs what the operator needs. */
export function explain(
  log: Log,
  exchange: Exchange,
  thrown: unknown,
  endpoint: Endpoint | undefined,
  isAborted = isClosed(exchange),
): ApiError {
  const error = asApiError(thrown, endpoint, brokenSentence(exchange.id))
  const name = endpoint?.name ?? 'none'
  // An aborted handler can fail in many ways; none of them is an error of the service or of an upstream.
  if (isAborted) log.debug({ request: exchange.id, endpoint: name, reason: reasonsOf(thrown) }, 'Request aborted.')
  else report(log, exchange, error, name)
  return error
}

/** A bug is logged with its stack; a request that could not be served is one line with its reasons. */
function report(log: Log, exchange: Exchange, error: ApiError, endpoint: string): void {
  const facts = { request: exchange.id, endpoint, code: error.code }
  if (error.code === 'internal_error')
    log.error({ ...facts, error: error.cause ?? error }, 'Request failed with an internal error.')
  else if (error.status >= 500) log.warn({ ...facts, reason: reasonsOf(error) }, 'Request could not be served.')
}
