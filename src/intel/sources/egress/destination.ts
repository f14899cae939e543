import { isIP } from 'node:net'
import { canonicalAddress, isPublicAddress } from '../../../kernel/addresses.ts'

/** Where a page wants to go. The host is in one spelling: lower case, numbers as dotted IPv4, no brackets, no dot. */
export type Destination = { readonly host: string; readonly port: number }

/** Where it may go: nothing is looked up again, so no second answer of the DNS can lead elsewhere. */
export type Checked =
  | { readonly kind: 'open'; readonly addresses: readonly string[]; readonly port: number }
  /** Not public, without an address, or the resolvers could not tell. */
  | { readonly kind: 'refused' | 'unknown' | 'unresolved' }

export type Rules = {
  /** All addresses of a host; empty where it has none. Throws where that cannot be told. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>
  /**
   * A simulated internet's hosts, for the sandbox and tests only: led where this says, without any check.
   * Undefined for every other host. Without it no host is simulated.
   */
  readonly reach?: ((host: string, port: number) => { address: string; port: number } | undefined) | undefined
  readonly ports: readonly number[]
}

const MAX_HOST_LENGTH = 255
/** More addresses than this are not tried; all of them are checked. */
const MAX_ADDRESSES = 6

/** Of `host:port`, as CONNECT names it; null where it is nothing of the kind. */
export function parseAuthority(text: string): Destination | null {
  const [, host = '', port = ''] =
    /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text.slice(0, MAX_HOST_LENGTH + 7)) ?? []
  const canonical = canonicalHost(host)
  const number = Number(port)
  return canonical === null || number < 1 || number > 65_535 ? null : { host: canonical, port: number }
}

/** A browser reads 0x7f000001, 2130706433 and 127.1 as 127.0.0.1, and so does this. */
function canonicalHost(host: string): string | null {
  if (host === '' || host.length > MAX_HOST_LENGTH) return null
  const read = URL.parse(`http://${host}/`)?.hostname
  if (!read) return null
  const bare = read.startsWith('[') ? read.slice(1, -1) : read.replace(/\.$/, '')
  return canonicalAddress(bare) ?? (bare === '' ? null : bare)
}

/** Every address of the host must be public: one private among them is an attack, not an accident. */
export async function check({ host, port }: Destination, rules: Rules, signal: AbortSignal): Promise<Checked> {
  const simulated = rules.reach?.(host, port)
  if (simulated) return { kind: 'open', addresses: [simulated.address], port: simulated.port }
  if (!rules.ports.includes(port)) return { kind: 'refused' }
  const found = isIP(host) ? [host] : await resolveName(host, rules, signal)
  if (typeof found === 'string') return { kind: found }
  if (!found.every((address) => isPublicAddress(address))) return { kind: 'refused' }
  const addresses = found.slice(0, MAX_ADDRESSES).map((address) => canonicalAddress(address)!)
  return { kind: 'open', addresses, port }
}

async function resolveName(
  host: string,
  { resolve }: Rules,
  signal: AbortSignal,
): Promise<readonly string[] | 'unknown' | 'unresolved'> {
  // A name without a dot is one of the machine's own network, never of the internet.
  if (!host.includes('.')) return 'unknown'
  try {
    const addresses = await resolve(host, signal)
    return addresses.length > 0 ? addresses : 'unknown'
  } catch {
    return 'unresolved'
  }
}
