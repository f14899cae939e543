import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../../kernel/addresses.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type AddressPolicy, addressRefused, type HostLookup } from '../../../kernel/upstream/guard.ts'
import { formatServer, type WhoisServer } from '../server.ts'
import { MAX_ANSWER_BYTES } from './answer.ts'

type Options = AddressPolicy & { readonly lookup?: HostLookup | undefined; readonly signal: AbortSignal }

/**
 * Sends a datagram from a socket of its own and passes each reply to `read`, until that returns something else than
 * undefined. A Buffer is sent as a further query. The socket is connected, so only the server's datagrams arrive.
 */
export async function udpExchange<T extends object>(
  server: WhoisServer,
  query: Buffer,
  read: (reply: Buffer) => T | Buffer | undefined,
  options: Options,
): Promise<T> {
  const { signal } = options
  const address = await resolveAllowed(server, options)
  const socket = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  let onAbort = (): void => {}
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.throwIfAborted()
      onAbort = () => reject(signal.reason as Error)
      signal.addEventListener('abort', onAbort, { once: true })
      socket.on('error', (cause) =>
        reject(
          new UpstreamError('unavailable', `${formatServer(server)} is not reachable`, { cause, unreachable: true }),
        ),
      )
      socket.on('message', (reply) => {
        const found = reply.length > MAX_ANSWER_BYTES ? undefined : read(reply)
        if (Buffer.isBuffer(found)) socket.send(found)
        else if (found !== undefined) resolve(found)
      })
      socket.connect(server.port, address, () => socket.send(query))
    })
  } finally {
    signal.removeEventListener('abort', onAbort)
    socket.close()
  }
}

function resolveAllowed(
  server: WhoisServer,
  { named, allow = isPublicAddress, lookup, ...policy }: Options,
): Promise<string> {
  const { host } = server
  const isNamed = named?.has(formatServer(server)) ?? false
  const isAllowed = isNamed ? () => true : allow
  const refused = () => addressRefused(formatServer(server), { named, allow, ...policy } as AddressPolicy)
  return new Promise((resolve, reject) => {
    if (isIP(host) !== 0) return isAllowed(host) ? resolve(host) : reject(refused())
    const find = (isNamed ? named?.lookup : undefined) ?? lookup
    if (!find) return reject(new UpstreamError('not_configured', 'no resolver is configured'))
    find(host, { all: true }, (cause, addresses) => {
      if (cause) return reject(new UpstreamError('unavailable', `${host} is not found`, { cause, unreachable: true }))
      const found = addresses.find(({ address }) => isAllowed(address))
      if (found) resolve(found.address)
      else reject(refused())
    })
  })
}
