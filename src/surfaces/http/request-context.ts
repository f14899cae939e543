import type { ServerResponse } from 'node:http'
import type { Context } from '../../kernel/endpoint.ts'
import type { RateLimiter } from '../../kernel/rate-limit.ts'
import type { Exchange } from './exchange.ts'

/** Creates the abort signal at first use: most handlers never read it. */
export class RequestContext implements Context {
  readonly requestId: string
  readonly client: string
  readonly #response: ServerResponse
  readonly #limiter: RateLimiter
  #controller: AbortController | undefined

  constructor({ id, response }: Exchange, client: string, limiter: RateLimiter) {
    this.requestId = id
    this.#response = response
    this.client = client
    this.#limiter = limiter
  }

  /** Returns a function without `this`, because handlers destructure the context. */
  get spend(): Context['spend'] {
    return (cost) => this.#limiter.take(this.client, cost)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      const made = (this.#controller = new AbortController())
      const response = this.#response
      const abort = () => made.abort(new Error('The client closed the connection.'))
      if (response.destroyed) abort()
      else response.once('close', () => response.writableFinished || abort())
    }
    return this.#controller.signal
  }
}
