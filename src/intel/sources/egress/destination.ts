import { isIP } from 'node:net'
import { canonicalAddress, isPublicAddress } from '../../../kernel/addresses.ts'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { type FindProxy, isPrivateName, type ProxyServer } from '../../../kernel/upstream/proxy.ts'

/** What a page wants to connect to. The host is normalized: lower case, dotted IPv4, no brackets, no trailing dot. */
export type Destination = { readonly host: string; readonly port: number }

/** The result of a check. The addresses are not resolved again, so DNS rebinding cannot change them. */
export type Checked =
  | { readonly kind: 'open'; readonly addresses: readonly string[]; readonly port: number }
  /** To be reached through the operator's proxy, which looks up the host. */
  | { readonly kind: 'proxied'; readonly proxy: ProxyServer }
  /** Not public, without an address, or the lookup failed. */
  | { readonly kind: 'refused' | 'unknown' | 'unresolved' }

export type Rules = {
  /** All addresses of a host, possibly none. Throws if the lookup fails. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>
  /**
   * Redirects hosts of the simulated internet without any check; for the sandbox and tests only. Undefined for every
   * other host.
   */
  readonly reach?: ((host: string, port: number) => { address: string; port: number } | undefined) | undefined
  readonly ports: readonly number[]
  /** The operator's proxy for a URL; undefined if its host is reached directly. */
  readonly findProxy?: FindProxy | undefined
}

/** How the browser asks for a destination: it sends requests for http URLs, and opens tunnels for everything else. */
export type Manner = 'request' | 'tunnel'

const MAX_HOST_LENGTH = 255
/** Addresses that are tried; all are checked. */
const MAX_ADDRESSES = 6
/** For our own lookup of a host that a proxy looks up too. */
const LOOKUP_TIMEOUT_MS = 2000

/** Parses `host:port`, the target of CONNECT; null if invalid. */
export function parseAuthority(text: string): Destination | null {
  const [, host = '', port = ''] =
    /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text.slice(0, MAX_HOST_LENGTH + 7)) ?? []
  const canonical = canonicalHost(host)
  const number = Number(port)
  return canonical === null || number < 1 || number > 65_535 ? null : { host: canonical, port: number }
}

/** Parses 0x7f000001, 2130706433 and 127.1 as 127.0.0.1, as a browser does. */
function canonicalHost(host: string): string | null {
  if (host === '' || host.length > MAX_HOST_LENGTH) return null
  const hostname = URL.parse(`http://${host}/`)?.hostname
  if (!hostname) return null
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
  return canonicalAddress(bare) ?? (bare === '' ? null : bare)
}

/** Refuses a host if any of its addresses is not public: a mixture is an attack, not an accident. */
export async function check(
  { host, port }: Destination,
  rules: Rules,
  signal: AbortSignal,
  manner: Manner = 'tunnel',
): Promise<Checked> {
  const simulated = rules.reach?.(host, port)
  if (simulated) return { kind: 'open', addresses: [simulated.address], port: simulated.port }
  if (!rules.ports.includes(port)) return { kind: 'refused' }
  const protocol = manner === 'request' || port === 80 ? 'http:' : 'https:'
  const proxy = rules.findProxy?.({ protocol, hostname: host, port: String(port) })
  if (proxy) return (await mayAskProxyFor(host, rules, signal)) ? { kind: 'proxied', proxy } : { kind: 'refused' }
  const found = isIP(host) ? [host] : await resolveName(host, rules, signal)
  if (typeof found === 'string') return { kind: found }
  if (!found.every((address) => isPublicAddress(address))) return { kind: 'refused' }
  const addresses = found.slice(0, MAX_ADDRESSES).map((address) => canonicalAddress(address)!)
  return { kind: 'open', addresses, port }
}

/**
 * The rule of all calls through a proxy: no private address and no private name. Anybody can make a public name lead to
 * a private address, and pages are chosen by clients, so a name that we can look up is refused for its addresses too.
 */
async function mayAskProxyFor(host: string, rules: Rules, signal: AbortSignal): Promise<boolean> {
  if (isIP(host)) return isPublicAddress(host)
  if (isPrivateName(host)) return false
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)])
  // Behind a proxy there is often no resolver for public names: without an answer, the proxy decides.
  const found = await unlessAborted(resolveName(host, rules, limit), limit).catch(() => 'unresolved' as const)
  signal.throwIfAborted()
  return typeof found === 'string' || found.every((address) => isPublicAddress(address))
}

async function resolveName(
  host: string,
  { resolve }: Rules,
  signal: AbortSignal,
): Promise<readonly string[] | 'unknown' | 'unresolved'> {
  // A name without a dot belongs to the local network.
  if (!host.includes('.')) return 'unknown'
  try {
    const addresses = await resolve(host, signal)
    return addresses.length > 0 ? addresses : 'unknown'
  } catch {
    return 'unresolved'
  }
}
