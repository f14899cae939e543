import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type ProxyServer, ProxyError, proxyRefusal } from './proxy.ts'

const MAX_HEAD_BYTES = 16_384
const END_OF_HEAD = '\r\n\r\n'

/** Opens a connection to the proxy itself, which may have any address: the operator named it. */
export function connectToProxy({ protocol, hostname, port }: ProxyServer, lookup: LookupFunction): Socket {
  if (protocol === 'http:') return connectTcp({ host: hostname, port, lookup })
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {}
  return connectTls({ host: hostname, port, lookup, ALPNProtocols: ['http/1.1'], ...servername })
}

/**
 * Asks the proxy to connect to a host (CONNECT), once the socket to it is open. Calls back once, with an error if the
 * proxy refuses or is not one; the caller handles errors of the socket.
 */
export function requestTunnel(
  socket: Socket,
  { proxy, target }: { readonly proxy: ProxyServer; readonly target: string },
  done: (error: Error | null) => void,
): void {
  const { authorization } = proxy
  const head = [
    `CONNECT ${target} HTTP/1.1`,
    `Host: ${target}`,
    ...(authorization === undefined ? [] : [`Proxy-Authorization: ${authorization}`]),
  ]
  let received = Buffer.alloc(0)
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    const end = received.indexOf(END_OF_HEAD)
    if (end === -1 && received.length <= MAX_HEAD_BYTES) return
    socket.off('data', onData).pause()
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(received.toString('latin1', 0, 16))?.[1])
    if (end === -1 || Number.isNaN(status)) return done(new ProxyError(`${proxy.host} is not an HTTP proxy`))
    if (status < 200 || status > 299) return done(proxyRefusal(proxy, status, target))
    const rest = received.subarray(end + END_OF_HEAD.length)
    if (rest.length > 0) socket.unshift(rest)
    return done(null)
  }
  socket.on('data', onData)
  socket.write(`${head.join('\r\n')}${END_OF_HEAD}`)
}
