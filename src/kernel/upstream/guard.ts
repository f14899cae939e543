import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'

/** DNS lookup. */
export type HostLookup = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

/** The URL is not allowed. The message may be shown to users. */
export class ForbiddenTargetError extends Error {
  override readonly name = 'ForbiddenTargetError'
}

/** The host has no allowed address. The message names the host, and what an operator can do. */
export class AddressRefusedError extends ForbiddenTargetError {}

/**
 * Which addresses may be connected to (SSRF protection). A host in a setting may have any address, also a private one;
 * any other host, from a redirect or from data, must have a public address.
 */
export type AddressPolicy = {
  /** Addresses allowed for every host; public addresses by default. */
  readonly allow?: (address: string) => boolean
  /** Hosts that may have any address. */
  readonly named?: NamedHosts
  /** Called with the reason for every refusal. */
  readonly onRefusal?: (why: string) => void
}

export type NamedHosts = {
  /** `host` as in `URL.host`: with its port, unless that is the default. */
  has(host: string): boolean
  /** The setting that an operator can add a host to; shown in the refusal. */
  readonly setting: string
  /** DNS lookup of these hosts; that of all other hosts by default. */
  readonly lookup?: HostLookup
}

/** Parses a URL and checks everything but its address, which the connector checks. */
export function checkTarget(target: string | URL, base?: URL): URL {
  const url = target instanceof URL ? target : URL.parse(target, base?.href)
  // The message does not repeat the text: it may contain a key.
  if (!url) throw new ForbiddenTargetError('the URL is invalid')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ForbiddenTargetError('the URL is neither https nor http')
  }
  if (url.username !== '' || url.password !== '') throw new ForbiddenTargetError('the URL has credentials in it')
  return url
}

/** The DNS lookup of a host returned no allowed address. */
export class NoAllowedAddress extends Error {}

/** A DNS lookup that returns only allowed addresses, and fails with NoAllowedAddress if there are none. */
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

/** The error for a refused address; also reports it to `onRefusal`. The message has only the host of a URL. */
export function addressRefused(
  host: string,
  { named, onRefusal }: AddressPolicy,
  { isUnresolved = false }: { readonly isUnresolved?: boolean } = {},
): AddressRefusedError {
  const isAddress = isIP(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) !== 0
  const what = isAddress ? 'is' : isUnresolved ? 'has the name of' : 'resolves to'
  const why = named
    ? `refused: ${host} ${what} a private address; name it in ${named.setting} to allow it`
    : `refused: ${host} ${what} an address that is not allowed here`
  onRefusal?.(why)
  return new AddressRefusedError(why)
}
