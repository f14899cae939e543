import { type ClientRequest, type IncomingMessage, request as ask, type ServerResponse } from 'node:http'
import { proxyRefusal } from '../../../kernel/upstream/proxy.ts'
import type { Connection } from './connect.ts'
import { type Destination, parseAuthority } from './destination.ts'
import type { OpenPass } from './pass.ts'
import { isProxysOwn, siteFailureOf } from './proxied.ts'

type Target = Destination & { readonly path: string; readonly authority: string }

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly upstream: Connection
  readonly pass: OpenPass
}

const MAX_HEADER_BYTES = 64 * 1024
/** 1xx responses to one request; more are an attack. */
const MAX_INTERIM_RESPONSES = 10

/** Headers that apply to one connection and are not forwarded. */
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

/** Parses `http://host/path`, the request target sent to a proxy; null if invalid or of another scheme. */
export function parseTarget(text: string): Target | null {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || url.username !== '' || url.password !== '') return null
  const destination = parseAuthority(`${url.hostname}:${url.port || 80}`)
  return destination && { ...destination, path: url.pathname + url.search, authority: url.host }
}

/** Sends the page's request over a connection that is used once, and streams the response back. */
export function forward({ request, response, target, upstream: { socket: upstream, proxy }, pass }: Exchange): void {
  const abandon = () => {
    upstream.destroy()
    request.socket.destroy()
  }
  const outgoing = ask({
    createConnection: () => upstream,
    method: request.method ?? 'GET',
    // A proxy is sent the whole URL.
    path: proxy ? `http://${target.authority}${target.path}` : target.path,
    headers: [
      ...endToEnd(request),
      'Host',
      target.authority,
      'Connection',
      'close',
      ...(proxy?.authorization === undefined ? [] : ['Proxy-Authorization', proxy.authorization]),
    ],
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
    const { statusCode: status = 502, headers } = incoming
    if (proxy && isProxysOwn(status, headers)) {
      const refusal = proxyRefusal(proxy, status, target.authority)
      if (!siteFailureOf(refusal)) pass.blameProxy(target.host, refusal)
      return abandon()
    }
    if (proxy) pass.reach(target)
    try {
      response.writeHead(status, incoming.statusMessage ?? '', endToEnd(incoming))
    } catch {
      // Node refuses to write this header.
      return abandon()
    }
    incoming.on('error', abandon)
    incoming.on('data', (bytes: Buffer) => pass.spend(bytes.length))
    return incoming.pipe(response)
  })
}

function limitInterim(outgoing: ClientRequest, abandon: () => void): void {
  let interim = 0
  outgoing.on('information', () => {
    interim += 1
    if (interim > MAX_INTERIM_RESPONSES) abandon()
  })
}

/** The raw headers without hop-by-hop headers and without Host, which is set anew. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return rawHeaders.filter((_, at) => {
    const name = rawHeaders[at - (at % 2)]!.toLowerCase()
    return !HOP_BY_HOP.has(name) && !named.has(name) && name !== 'host'
  })
}
