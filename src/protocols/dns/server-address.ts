import { isIPv6 } from 'node:net'
import { canonicalAddress } from '../../kernel/addresses.ts'

/** The address of a name server, or of a recursor over HTTPS, which has a URL and no address. */
export type ServerAddress = {
  /** Canonical form, comparable with the sender address of a datagram. */
  readonly ip: string
  readonly family: 4 | 6
  readonly port: number
  /** For display: `192.0.2.1`, `192.0.2.1:5300`, `2001:db8::1`, `[2001:db8::1]:5300`. */
  readonly text: string
  /** Set for DNS over HTTPS only. */
  readonly url?: URL
}

/** A recursor over HTTPS (RFC 8484). */
export function httpsServer(url: string): ServerAddress {
  const parsed = new URL(url)
  return { ip: '', family: 4, port: 0, text: `${parsed.origin}${parsed.pathname}`, url: parsed }
}

const DNS_PORT = 53

/** Parses `ip[:port]`; an IPv6 address with a port needs brackets. Throws a RangeError that shows the valid forms. */
export function parseServerAddress(text: string): ServerAddress {
  const given = text.trim()
  // The colons of a bare IPv6 address do not introduce a port.
  const [, bracketed, plain, digits] = isIPv6(given)
    ? []
    : (/^(?:\[(.+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(given) ?? [])
  const [address = '', zone] = (bracketed ?? plain ?? given).split('%')
  const port = digits === undefined ? DNS_PORT : Number(digits)
  const canonical = canonicalAddress(address)
  if (canonical === undefined || port < 1 || port > 0xffff) {
    throw new RangeError(
      `"${text}" is not the address of a name server; write it like 192.0.2.1, 192.0.2.1:5300 or [2001:db8::1]:5300`,
    )
  }
  const family = isIPv6(canonical) ? 6 : 4
  const ip = family === 6 && zone !== undefined ? `${canonical}%${zone}` : canonical
  const suffix = port === DNS_PORT ? '' : `:${port}`
  return { ip, family, port, text: family === 6 && suffix !== '' ? `[${ip}]${suffix}` : `${ip}${suffix}` }
}
