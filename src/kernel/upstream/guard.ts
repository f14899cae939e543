import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import { isPublicAddress } from '../addresses.ts'

/** Names to addresses; the system's own by default. */
export type HostLookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The place must not be asked. The message may be shown. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError'
}

/** The host has no address that may be connected to. The message names it, and what an operator can do. */
export class AddressRefusedError extends ForbiddenTargetError {}

/**
 * Which addresses may be connected to. A host an operator named may be anywhere, on the same machine or in the same
 * network; any other, reached by a redirect or found in data, must not lead there.
 */
export type AddressPolicy = {
  /** Addresses that any host may have: those of the open internet by default. */
  readonly allow?: (address: string) => boolean
  /** Hosts that may have any address. */
  readonly named?: NamedHosts
  /** Called with the reason for every refusal. */
  readonly onRefusal?: (why: string) => void
}

export type NamedHosts = {
  /** `host` is as in `URL.host`: with its port, unless that is the usual one. */
  has(host: string): boolean
  /** Where an operator names one. */
  readonly setting: string
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

type Options = AddressPolicy & {
  readonly lookup: HostLookup | undefined
  readonly connectTimeoutMs: number
  readonly ca: string | undefined
}

/**
 * Opens connections to allowed addresses only. The address that is judged is the one that is connected to: a name is
 * resolved once, here, and whatever it resolves to in the next moment does not matter.
 */
export function guardedConnector({ lookup = systemLookup, connectTimeoutMs, ca, ...policy }: Options): {
  connect: buildConnector.connector
  /** Ends all connections, also those still being opened, which undici cannot reach. */
  destroy(): void
} {
  const common = {
    allowH2: true,
    timeout: connectTimeoutMs,
    // One for all connections: to make one takes as long as a handshake.
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
  }
  const { allow = isPublicAddress, named } = policy
  const openNamed = buildConnector({ ...common, lookup: allowedAddresses(() => true, lookup) })
  const openOther = buildConnector({ ...common, lookup: allowedAddresses(allow, lookup) })
  const sockets = new Set<Socket>()
  return {
    connect(target, callback) {
      // The host as it stands in the URL: `hostname` lacks the port, and may be an address without its brackets.
      const host = target.host ?? target.hostname
      const isNamed = named?.has(host) ?? false
      // A literal address is never looked up, so it is judged here.
      if (!isNamed && isIP(target.hostname) !== 0 && !allow(target.hostname)) {
        queueMicrotask(() => callback(addressRefused(host, policy), null))
        return
      }
      const open = isNamed ? openNamed : openOther
      const opened: buildConnector.Callback = (...outcome) => {
        const [error] = outcome
        if (error instanceof NoAllowedAddress) callback(addressRefused(host, policy), null)
        else callback(...outcome)
      }
      const socket = open(target, opened) as unknown as Socket
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A look-up of a host found nothing that may be connected to. */
export class NoAllowedAddress extends Error {}

/** A look-up that leaves out what must not be connected to, and fails with NoAllowedAddress if nothing is left. */
export const allowedAddresses =
  (allow: (address: string) => boolean, lookup: HostLookup): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      const allowed = addresses.filter(({ address }) => allow(address))
      const [first] = allowed
      if (!first) return callback(new NoAllowedAddress(`${hostname} has no address that is allowed`), [])
      if (options.all) return callback(null, allowed)
      return callback(null, first.address, first.family)
    })
  }

/** Says why, to whom it may concern: the log, and the caller. Names the host and nothing else of a URL. */
export function addressRefused(host: string, { named, onRefusal }: AddressPolicy): AddressRefusedError {
  const what = isIP(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) === 0 ? 'resolves to' : 'is'
  const why = named
    ? `refused: ${host} ${what} a private address; name it in ${named.setting} to allow it`
    : `refused: ${host} ${what} an address that is not allowed here`
  onRefusal?.(why)
  return new AddressRefusedError(why)
}
