import { once } from 'node:events'
import type { Exchange } from './exchange.ts'
import { type Head, linesOf, startHead, writeHead } from './head.ts'

/** Nothing is loaded from elsewhere, and nothing runs that is not a file of this service. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Of every page; names and values, alternating. */
export const PAGE_HEADERS: readonly string[] = ['Content-Security-Policy', POLICY, 'Referrer-Policy', 'no-referrer']

const htmlHead = (exchange: Exchange): Head => {
  const head = startHead(exchange)
  head.lines += `Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n${linesOf(PAGE_HEADERS)}`
  return head
}

/** Sends a whole page. `headers` are those of the error that the page is about. */
export function sendHtml(
  exchange: Exchange,
  status: number,
  markup: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const head = htmlHead(exchange)
  head.checked.push(...Object.entries(headers).flat(), 'Content-Length', String(Buffer.byteLength(markup)))
  writeHead(exchange, status, head)
  if (exchange.request.method === 'HEAD') exchange.response.end()
  else exchange.response.end(markup)
}

/** Sends the pieces of a page as they come. A slow client pauses the source, and a disconnect ends it. */
export const sendHtmlPieces = (exchange: Exchange, pieces: AsyncIterable<string>): Promise<void> =>
  sendPieces(exchange, htmlHead(exchange), pieces)

/** Sends the pieces of a file, which the browser saves under this name. */
export function sendFilePieces(
  exchange: Exchange,
  { type, name }: { readonly type: string; readonly name: string },
  pieces: AsyncIterable<string>,
): Promise<void> {
  const head = startHead(exchange)
  head.checked.push('Content-Type', type, 'Content-Disposition', `attachment; filename="${name}"`)
  head.lines += 'Cache-Control: no-store\r\n'
  return sendPieces(exchange, head, pieces)
}

async function sendPieces(exchange: Exchange, head: Head, pieces: AsyncIterable<string>): Promise<void> {
  const { response } = exchange
  // Asks buffering proxies (nginx) to pass pieces on at once.
  head.lines += 'X-Accel-Buffering: no\r\n'
  writeHead(exchange, 200, head)
  if (exchange.request.method === 'HEAD') return void response.end()
  for await (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end()
}

export function sendRedirect(exchange: Exchange, location: string): void {
  const head = startHead(exchange)
  head.checked.push('Location', location, 'Content-Length', '0', 'Cache-Control', 'no-store')
  writeHead(exchange, 303, head)
  exchange.response.end()
}
