import type { Mount } from './exchange.ts'
import { render, type Rendered, renderText } from './render.ts'
import { sendRendered } from './send.ts'

/** A document that does not change while the service runs: rendered once, cached by clients for LIFETIME_SECONDS. */
export function jsonDocument(name: string, path: `/${string}`, document: object): Mount {
  return textDocument(name, path, 'application/json; charset=utf-8', render(Object.freeze(document)))
}

export function htmlDocument(name: string, path: `/${string}`, html: string): Mount {
  return textDocument(name, path, 'text/html; charset=utf-8', renderText(html, true), [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'self'",
    'Referrer-Policy',
    'no-referrer',
  ])
}

const LIFETIME_SECONDS = 300

const textDocument = (
  name: string,
  path: `/${string}`,
  type: string,
  rendered: Rendered,
  headers: readonly string[] = [],
): Mount => ({
  name,
  methods: ['GET'],
  path,
  rate: 'document',
  handle: (exchange) => sendRendered(exchange, 200, rendered, type, LIFETIME_SECONDS, headers),
})
