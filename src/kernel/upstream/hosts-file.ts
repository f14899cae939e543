import { readFileSync, statSync } from 'node:fs'
import { win32 } from 'node:path'
import type { ResolveHost } from './host-addresses.ts'

/** Where the system keeps its hosts file; `windowsFolder` is what Windows names `SystemRoot`. */
export const hostsFilePath = (platform: NodeJS.Platform, windowsFolder?: string): string =>
  platform === 'win32' ? win32.join(windowsFolder ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts') : '/etc/hosts'

type Options = {
  /** How the hosts are resolved that only this machine or its network knows. */
  readonly system: ResolveHost
  /** Of the hosts file. */
  readonly path: string
}

/**
 * Resolves the names that DNS must not be asked for first: those in the hosts file, names without a dot (`redis`, `minio`
 * in a container network), `localhost` and `.local`. Null for all other names.
 */
export function localNames({ system, path }: Options): ResolveHost {
  const isInFile = hostsFile(path)
  return async (hostname) => (isLocal(hostname) || isInFile(hostname) ? system(hostname) : null)
}

const isLocal = (hostname: string): boolean => !hostname.includes('.') || /\.(?:localhost|local)$/.test(hostname)

/**
 * Whether the file has the name. It is read now, and again if an operator has edited it. Synchronously: through the thread
 * pool, the first DNS queries of a host would wait until the event loop has handled everything else.
 */
function hostsFile(path: string): (hostname: string) => boolean {
  let version = ''
  let names: ReadonlySet<string> = new Set()
  const refresh = (): void => {
    const file = statSync(path, { throwIfNoEntry: false })
    const found = file ? `${file.ino} ${file.size} ${file.mtimeMs}` : ''
    if (found === version) return
    names = new Set(file ? parseNames(readFileSync(path, 'utf8')) : [])
    version = found
  }
  const isInFile = (hostname: string): boolean => {
    try {
      refresh()
    } catch {
      // Unreadable: what was read before holds.
    }
    return names.has(hostname)
  }
  isInFile('')
  return isInFile
}

const parseNames = (text: string): string[] =>
  text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/).slice(1))
