import type { Mount } from './exchange.ts'
import { render, type Rendered } from './render.ts'
import { sendRendered } from './send.ts'

/**
 * A document that does not change while the service runs: created and rendered at the first request, cached by clients for
 * LIFETIME_SECONDS.
 */
export function jsonDocument(name: string, path: `/${string}`, create: () => object | Promise<object>): Mount {
  const load = async () => render(Object.freeze(await create()))
  return textDocument(name, path, 'application/json; charset=utf-8', load)
}

const LIFETIME_SECONDS = 300

function textDocument(name: string, path: `/${string}`, type: string, load: () => Promise<Rendered>): Mount {
  let rendered: Promise<Rendered> | undefined
  return {
    name,
    methods: ['GET'],
    path,
    rate: 'document',
    async handle(exchange) {
      await sendRendered(exchange, 200, await (rendered ??= load()), type, LIFETIME_SECONDS)
    },
  }
}
