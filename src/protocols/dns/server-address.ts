import { isIPv6 } from 'node:net'
import { canonicalAddress } from '../../kernel/addresses.ts'

/** Where a name server is asked. */
export type ServerAddress = {
  /** As the system writes it, so that the sender of an answer can be compared with it. */
  readonly ip: string
  readonly family: 4 | 6
  readonly port: number
  /** As people write it: `192.0.2.1`, `192.0.2.1:5300`, `2001:db8::1`, `[2001:db8::1]:5300`. */
  readonly text: string
}

const DNS_PORT = 53

/** Reads `ip[:port]`, an IPv6 address with a port in brackets. Throws a RangeError that names what it cannot read. */
export function parseServerAddress(text: string): ServerAddress {
  const given = text.trim()
  // A bare IPv6 address has colons of its own, none of which is before a port.
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
