import { readFile } from 'node:fs/promises'
import type { ResolveHost } from './host-addresses.ts'

const HOSTS_FILE = '/etc/hosts'

type Options = {
  /** How the hosts are resolved that only this machine or its network knows. */
  readonly system: ResolveHost
  readonly path?: string
}

/**
 * Resolves the names that DNS must not be asked for first: those in the hosts file, names without a dot (`redis`, `minio`
 * in a container network), `localhost` and `.local`. Null for all other names.
 */
export const localNames =
  ({ system, path = HOSTS_FILE }: Options): ResolveHost =>
  async (hostname) =>
    isLocal(hostname) || (await namesIn(path)).has(hostname) ? system(hostname) : null

const isLocal = (hostname: string): boolean => !hostname.includes('.') || /\.(?:localhost|local)$/.test(hostname)

/** Read again for every resolution, which happens once per TTL of a host: an operator may edit the file at any time. */
async function namesIn(path: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return new Set(text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1)))
}
