import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { buildConnector } from 'undici'

/** Names to addresses; the system's own by default. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The place must not be asked. The message may be shown. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError'
}

/** The URL of a place that may be asked at all; whether its address may be connected to is the connector's business. */
export function checkTarget(target: string | URL, base?: URL): URL {
  const url = URL.parse(String(target), base?.href)
  // The text is not repeated: it may carry a key.
  if (!url) throw new ForbiddenTargetError('the URL cannot be read')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ForbiddenTargetError('the URL is neither https nor http')
  }
  if (url.username !== '' || url.password !== '') throw new ForbiddenTargetError('the URL has credentials in it')
  return url
}

type Options = {
  readonly allow: (address: string) => boolean
  readonly lookup: Lookup | undefined
  readonly connectMs: number
  readonly ca: string | undefined
}

/**
 * Opens connections to allowed addresses only. The address that is judged is the one that is connected to: a name is
 * resolved once, here, and whatever it resolves to in the next moment does not matter.
 */
export function guardedConnector({ allow, lookup = systemLookup, connectMs, ca }: Options): {
  connect: buildConnector.connector
  /** Ends all connections, also those still being opened, which undici cannot reach. */
  destroy(): void
} {
  const open = buildConnector({
    allowH2: true,
    timeout: connectMs,
    lookup: allowedAddresses(allow, lookup),
    // One for all connections: to make one takes as long as a handshake.
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
  })
  const sockets = new Set<Socket>()
  return {
    connect(target, callback) {
      // A literal address is never looked up, so it is judged here.
      if (isIP(target.hostname) !== 0 && !allow(target.hostname)) {
        queueMicrotask(() => callback(new ForbiddenTargetError('its address must not be asked'), null))
        return
      }
      const socket = open(target, callback) as unknown as Socket
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A look-up that leaves out what must not be connected to, and fails where nothing is left. */
export const allowedAddresses =
  (allow: (address: string) => boolean, lookup: Lookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const allowed = addresses.filter(({ address }) => allow(address))
      const [first] = allowed
      if (!first) return callback(new ForbiddenTargetError('its address must not be asked'), [])
      if (options.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    })
  }
