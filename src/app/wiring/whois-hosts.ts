import { join } from 'node:path'
import { isPublicAddress } from '../../kernel/addresses.ts'
import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { AddressPolicy, HostLookup } from '../../kernel/upstream/guard.ts'
import { fileStore } from '../../protocols/rdap/file-store.ts'
import type { Whois43 } from '../../protocols/whois43/client.ts'
import { createWhoisHosts, type WhoisHosts } from '../../protocols/whois43/iana-hosts.ts'
import type { Catalogue } from '../../tlds/catalogue.ts'
import type { Config } from '../settings/config.ts'

type Needs = {
  readonly config: Pick<Config, 'sandbox' | 'dataDir'>
  readonly catalogue: Catalogue
  readonly client: Whois43
  readonly policy: AddressPolicy & { readonly lookup?: HostLookup }
  /** The servers of ONOMA_WHOIS_SERVERS; the one of `.` replaces IANA's. */
  readonly named: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly log: Log
}

/** Which WHOIS server answers for a TLD or suffix: the operator's, else the one IANA names, else the bundled one. */
export type WhoisServers = Pick<WhoisHosts, 'start' | 'close'> & {
  /** `host[:port]`; undefined if it has none. */
  serverOf(suffix: string): string | undefined
  /** The registry's own host, whichever server is asked in its place. */
  hostOf(suffix: string): string | undefined
  /** Called when the server is asked. */
  used(suffix: string): void
  /** Another server for a suffix whose server failed. */
  replace(suffix: string, failed: string, error: unknown): Promise<string | undefined>
}

const IANA = 'whois.iana.org'
const IANA_TIMEOUT_MS = 4_000

export function openWhoisServers({ config, catalogue, client, policy, named, clock, log }: Needs): WhoisServers {
  // The sandbox must not reach the real internet.
  const iana = named['.'] ?? (config.sandbox ? undefined : IANA)
  const bundledHostOf = (suffix: string) => catalogue.find(suffix)?.whoisServer ?? undefined
  const hosts = createWhoisHosts({
    ask: async (tld, signal) =>
      (await client.query({ domain: tld as DomainName, tld, server: iana!, timeoutMs: IANA_TIMEOUT_MS, signal })).text,
    isReachable: (host) => hasAllowedAddress(host, policy),
    bundledHostOf,
    store: fileStore(join(config.dataDir, 'whois-hosts.json')),
    clock,
    log,
  })
  const registryOf = (suffix: string): string => catalogue.find(suffix)?.registry ?? suffix
  const namedServerOf = (suffix: string) => named[suffix] ?? named[registryOf(suffix)]
  /** IANA knows TLDs only, and an operator's choice is final. A TLD that has no WHOIS by our data is not given one. */
  const isLearnt = (suffix: string): boolean =>
    iana !== undefined &&
    namedServerOf(suffix) === undefined &&
    !registryOf(suffix).includes('.') &&
    bundledHostOf(suffix) !== undefined
  const learntHostOf = (suffix: string) => (isLearnt(suffix) ? hosts.hostOf(registryOf(suffix)) : undefined)
  const hostOf = (suffix: string) => learntHostOf(suffix) ?? bundledHostOf(suffix)
  return {
    serverOf: (suffix) => namedServerOf(suffix) ?? hostOf(suffix),
    hostOf,
    used(suffix) {
      if (isLearnt(suffix)) hosts.used(registryOf(suffix))
    },
    async replace(suffix, failed, error) {
      return isLearnt(suffix) && isHostFailure(error) ? hosts.refresh(registryOf(suffix), failed) : undefined
    },
    start: hosts.start,
    close: hosts.close,
  }
}

/** The host is gone, or silent. One that asks us to slow down is the right one. */
const isHostFailure = (error: unknown): boolean =>
  error instanceof UpstreamError &&
  (error.failure === 'timeout' || (error.failure === 'unavailable' && (error.unreachable || error.broken)))

const hasAllowedAddress = (host: string, { allow = isPublicAddress, lookup }: Needs['policy']): Promise<boolean> =>
  new Promise((resolve) => {
    if (!lookup) return resolve(false)
    lookup(host, { all: true }, (error, addresses) =>
      resolve(!error && addresses.some(({ address }) => allow(address))),
    )
  })
