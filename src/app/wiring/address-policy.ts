import type { Log } from '../../kernel/log.ts'
import type { AddressPolicy } from '../../kernel/upstream/guard.ts'
import type { Config } from '../settings/config.ts'

type Needs = {
  readonly config: Pick<Config, 'sandbox' | 'namedHosts'>
  readonly log: Pick<Log, 'warn'>
  /** The settings in which an operator names this provider's hosts. */
  readonly settings: readonly string[]
  /** Whether a file that one of the settings names contains the host. */
  readonly isInFile?: ((host: string) => boolean) | undefined
}

const MAX_LOGGED_REFUSALS = 1000

/**
 * Which addresses a provider may be reached at. Hosts that an operator named in the provider's own settings may have any
 * address; all others must have a public one. The sandbox allows loopback only: nothing may reach the real internet.
 */
export function addressPolicy({ config, log, settings, isInFile = () => false }: Needs): AddressPolicy {
  const logged = new Set<string>()
  const onRefusal = (why: string): void => {
    // Log once per host: the same redirect comes back with every request.
    if (logged.has(why) || logged.size >= MAX_LOGGED_REFUSALS) return
    logged.add(why)
    log.warn({}, `A connection was ${why}.`)
  }
  if (config.sandbox) return { allow: isLoopback, onRefusal }
  const hosts = new Set(settings.flatMap((setting) => config.namedHosts[setting] ?? []))
  return { named: { has: (host) => hosts.has(host) || isInFile(host), setting: settings.join(' or ') }, onRefusal }
}

const isLoopback = (address: string): boolean => address === '127.0.0.1'
