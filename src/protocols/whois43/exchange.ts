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
import { formatHost, formatServer, type WhoisServer } from './server.ts'

export type ExchangeOptions = AddressPolicy & {
  readonly signal: AbortSignal
  readonly maxBytes: number
  readonly lookup?: HostLookup | undefined
  /** The default port, which a host in `named` may omit. */
  readonly usualPort: number
}

/**
 * Sends one line and reads until the server closes the connection. An answer above `maxBytes`, a reset or an abort
 * closes the socket at once. Rejects with the unwrapped cause.
 */
export function exchange(server: WhoisServer, line: string, options: ExchangeOptions): Promise<Uint8Array> {
  const { signal, maxBytes, usualPort } = options
  const { host, port } = server
  const isNamed = options.named?.has(formatHost(server, usualPort)) ?? false
  const allow = isNamed ? () => true : (options.allow ?? isPublicAddress)
  const lookup = (isNamed ? options.named?.lookup : undefined) ?? options.lookup ?? systemLookup
  const refusal = () => addressRefused(formatHost(server, usualPort), options)
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // A literal address skips the DNS lookup and its address check, so check it here.
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
      else fail(new UpstreamError('unavailable', `${formatServer(server)} sent more than ${maxBytes} bytes`))
    })
    socket.once('end', () => {
      if (size > 0) resolve(Buffer.concat(chunks))
      fail(new UpstreamError('unavailable', `${formatServer(server)} closed without an answer`, { broken: true }))
    })
    socket.on('error', fail)
    socket.once('close', () => {
      signal.removeEventListener('abort', leave)
      // Closed without 'end' or 'error': no other handler rejects.
      reject(new UpstreamError('unavailable', `${formatServer(server)} broke the connection`, { broken: true }))
    })
  })
}
