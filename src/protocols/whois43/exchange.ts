import { lookup as systemLookup } from 'node:dns'
import { connect, isIP } from 'node:net'
import { UpstreamError } from '../../kernel/errors.ts'
import { isPublicAddress } from '../../kernel/addresses.ts'
import {
  type AddressPolicy,
  allowedAddresses,
  type HostLookup,
  NoAllowedAddress,
  addressRefused,
} from '../../kernel/upstream/guard.ts'
import { hostText, serverText, type Server } from './server.ts'

export type ExchangeOptions = AddressPolicy & {
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly lookup?: HostLookup | undefined
  /** The port a named host need not name. */
  readonly usualPort: number
}

/**
 * Sends one line to a server and reads until it closes the connection. Ends with whatever the server does: an answer
 * larger than allowed, a reset or an abort closes the socket at once. Rejects with the plain cause.
 */
export function exchange(server: Server, line: string, options: ExchangeOptions): Promise<Uint8Array> {
  const { signal, maxBytes, usualPort, lookup = systemLookup } = options
  const { host, port } = server
  const isNamed = options.named?.has(hostText(server, usualPort)) ?? false
  const allow = isNamed ? () => true : (options.allow ?? isPublicAddress)
  const refusal = () => addressRefused(hostText(server, usualPort), options)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // A literal address is never looked up, so it is judged here.
    if (isIP(host) !== 0 && !allow(host)) throw refusal()
    const chunks: Uint8Array[] = []
    let size = 0
    const socket = connect({ host, port, lookup: allowedAddresses(allow, lookup) })
    const fail = (error: unknown): void => {
      socket.destroy()
      reject(error instanceof NoAllowedAddress ? refusal() : error)
    }
    const leave = (): void => fail(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    socket.once('connect', () => socket.write(`${line}\r\n`))
    socket.on('data', (chunk) => {
      size += chunk.length
      if (size <= maxBytes) chunks.push(chunk)
      else fail(new UpstreamError('unavailable', `${serverText(server)} sent more than ${maxBytes} bytes`))
    })
    socket.once('end', () => {
      if (size > 0) resolve(Buffer.concat(chunks))
      fail(new UpstreamError('unavailable', `${serverText(server)} closed without an answer`))
    })
    socket.on('error', fail)
    socket.once('close', () => {
      signal.removeEventListener('abort', leave)
      // Closed without an end or an error: nobody else would say so.
      reject(new UpstreamError('unavailable', `${serverText(server)} broke the connection`))
    })
  })
}
