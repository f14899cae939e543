import { type ClientRequest, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Destination, parseAuthority } from './destination.ts'
import type { OpenPass } from './pass.ts'

type Target = Destination & { readonly path: string; readonly authority: string }

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly upstream: Socket
  readonly pass: OpenPass
}

const MAX_HEADER_BYTES = 64 * 1024
/** Answers before the answer: a handful is normal, more is a flood. */
const MAX_INTERIM = 10

/** Headers that concern one connection, not the one after it. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Of `http://host/path`, the form a browser asks a proxy in; null for any other scheme or form. */
export function readTarget(text: string): Target | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || url.username !== '' || url.password !== '') return null
  const destination = parseAuthority(`${url.hostname}:${url.port || 80}`)
  return destination && { ...destination, path: url.pathname + url.search, authority: url.host }
}

/** Asks in the page's name over a connection used once, and hands back the answer as it comes. */
export function forward({ request, response, target, upstream, pass }: Exchange): void {
  const abandon = () => {
    upstream.destroy()
    request.socket.destroy()
  }
  const outgoing = ask({
    createConnection: () => upstream,
    method: request.method ?? 'GET',
    path: target.path,
    headers: [...endToEnd(request), 'Host', target.authority, 'Connection', 'close'],
    maxHeaderSize: MAX_HEADER_BYTES,
  })
  outgoing.on('error', abandon)
  limitInterim(outgoing, abandon)
  request.on('error', abandon)
  request.on('data', (bytes: Buffer) => pass.spend(bytes.length))
  request.pipe(outgoing)
  response.on('error', abandon)
  response.once('close', () => upstream.destroy())
  outgoing.once('response', (incoming) => {
    try {
      response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage ?? '', endToEnd(incoming))
    } catch {
      // A header no parser should have let through.
      return abandon()
    }
    incoming.on('error', abandon)
    incoming.on('data', (bytes: Buffer) => pass.spend(bytes.length))
    incoming.pipe(response)
  })
}

function limitInterim(outgoing: ClientRequest, abandon: () => void): void {
  let interim = 0
  outgoing.on('information', () => {
    interim += 1
    if (interim > MAX_INTERIM) abandon()
  })
}

/** Names and values in turn, as they came, without those meant for the last hop; the host is named anew. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)]!.toLowerCase()
    return !HOP_BY_HOP.has(name) && !named.has(name) && name !== 'host'
  })
}
