import type { Log } from '../../kernel/log.ts'
import type { AddressPolicy } from '../../kernel/upstream/guard.ts'
import type { Config } from '../settings/config.ts'

type Needs = {
  readonly config: Pick<Config, 'sandbox' | 'namedHosts'>
  readonly log: Pick<Log, 'warn'>
  /** Those in which an operator names hosts for this provider. */
  readonly settings: readonly string[]
  /** Hosts in a file that one of the settings names. */
  readonly isInFile?: (host: string) => boolean
}

const MAX_REMEMBERED = 1000

/**
 * Whom a provider may be asked at: hosts an operator named in its own settings, at any address, and all others on the open
 * internet only. In the sandbox everything is on loopback, and nothing may reach the real internet.
 */
export function addressPolicy({ config, log, settings, isInFile = () => false }: Needs): AddressPolicy {
  const logged = new Set<string>()
  const onRefusal = (why: string): void => {
    // Once for each host: a redirect comes again with every request.
    if (logged.has(why) || logged.size >= MAX_REMEMBERED) return
    logged.add(why)
    log.warn({}, `A connection was ${why}.`)
  }
  if (config.sandbox) return { allow: isLoopback, onRefusal }
  const hosts = new Set(settings.flatMap((setting) => config.namedHosts[setting] ?? []))
  return { named: { has: (host) => hosts.has(host) || isInFile(host), setting: settings.join(' or ') }, onRefusal }
}

const isLoopback = (address: string): boolean => address === '127.0.0.1'
