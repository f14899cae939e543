import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'

/** IPv4 ranges of IANA's special-purpose registry that are not globally reachable, and one address of a cloud. */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by carriers
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // looks public, but one large cloud answers its own machines here
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** All public IPv6 addresses are in this range; loopback, ULA, link-local and multicast are outside it. */
const GLOBAL_IPV6 = ['2000::/3']

const NOT_PUBLIC_IPV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: contains an IPv4 address
  '3fff::/20', // documentation
]

/** NAT64's well-known prefix leads to the IPv4 address in its last four bytes: that address is checked. */
const NAT64 = '64:ff9b::'

const isNotPublicIPv4 = parseCidrs(NOT_PUBLIC_IPV4)
const isGlobalIPv6 = parseCidrs(GLOBAL_IPV6)
const isNotPublicIPv6 = parseCidrs(NOT_PUBLIC_IPV6)
const isNat64 = parseCidrs([`${NAT64}/96`])
const isNotPublicNat64 = parseCidrs(
  NOT_PUBLIC_IPV4.map((cidr) => {
    const [base, bits] = cidr.split('/')
    return `${NAT64}${base}/${96 + Number(bits)}`
  }),
)

/** Whether an address is public. False for text that is not an address, and for an address with a zone (`%eth0`). */
export function isPublicAddress(ip: string): boolean {
  const address = ip.includes('%') ? undefined : canonicalAddress(ip)
  if (address === undefined) return false
  if (isIPv4(address)) return !isNotPublicIPv4(address)
  if (isNat64(address)) return !isNotPublicNat64(address)
  return isGlobalIPv6(address) && !isNotPublicIPv6(address)
}

/**
 * One spelling per address: IPv6 compressed and in lower case, without a zone, IPv4 taken out of ::ffff:0:0/96.
 * Undefined if the text is not an address.
 */
export function canonicalAddress(ip: string): string | undefined {
  if (isIPv4(ip)) return ip
  if (!isIPv6(ip)) return undefined
  const { address } = new SocketAddress({ address: ip, family: 'ipv6' })
  const embedded = address.startsWith('::ffff:') ? address.slice(7) : ''
  return isIPv4(embedded) ? embedded : address
}

/**
 * A test for membership in a list of ranges (`10.0.0.0/8`, `2001:db8::/32`) or single addresses.
 * IPv4-mapped IPv6 addresses are compared as IPv4. Throws a RangeError that names the invalid entry.
 */
export function parseCidrs(list: readonly string[]): (ip: string) => boolean {
  // Two lists: in one, node:net would find every IPv4 address inside ::/0.
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of list) {
    const [base = '', mask, ...more] = entry.trim().split('/')
    const version = base.includes('%') ? 0 : isIP(base)
    if (version === 0 || more.length > 0) {
      throw new RangeError(`"${entry}" is not an address or a range; write it like 10.0.0.0/8 or 2001:db8::/32`)
    }
    if (version === 6 && isIPv4(canonicalAddress(base) ?? '')) {
      throw new RangeError(`"${entry}" is an IPv4 range written as IPv6; write it like 10.0.0.0/8`)
    }
    const maxBits = version === 4 ? 32 : 128
    const bits = mask === undefined ? maxBits : /^\d{1,3}$/.test(mask) ? Number(mask) : -1
    if (bits < 0 || bits > maxBits) {
      throw new RangeError(`"${entry}" must end in a number of bits from 0 to ${maxBits}`)
    }
    const family = version === 4 ? 'ipv4' : 'ipv6'
    ranges[family].addSubnet(base, bits, family)
  }
  return (ip) => {
    const address = canonicalAddress(ip)
    if (address === undefined) return false
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return ranges[family].check(address, family)
  }
}
