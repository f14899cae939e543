import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { runInBackground, untilReady } from './process.ts'
import type { Server } from './server.ts'

/** The authoritative name server. Each suite has its own zones, so each starts its own with `startKnot`. */
export const knot: Server = { name: 'knot', packages: ['knot'], program: 'knotd' }

export type Zone = {
  /** Without a trailing dot; the root is ''. */
  readonly name: string
  /** The zone file; null leaves it out, so that the server fails. */
  readonly text: string | null
  /** Signed with NSEC, or with NSEC3 and opt-out like most TLDs; unsigned if missing. */
  readonly signed?: 'nsec' | 'optout'
  /** Every response over UDP is truncated. */
  readonly tcpOnly?: boolean
}

export type Knot = {
  /** Changes a zone while it is served: `set brandnew 900 NS ns1.hosting.com.`, `unset brandnew`. */
  change(zone: string, ...changes: string[]): Promise<void>
  stop(): Promise<void>
}

const run = promisify(execFile)
const origin = (zone: string): string => `${zone}.`

/** The zones and keys of one knotd that is not running yet. */
export type PreparedKnot = {
  /** The DS record of a signed zone, for the zone above it. */
  ds(zone: string): Promise<string>
  /** Takes the zone files, because parent zones need the DS records of their children. */
  start(zones: readonly Zone[]): Promise<Knot>
}

/** Creates the keys of the signed zones, so that servers that depend on each other's keys can start concurrently. */
export async function prepareKnot(
  program: string,
  dir: string,
  { listen, zones }: { readonly listen: readonly string[]; readonly zones: readonly Omit<Zone, 'text'>[] },
): Promise<PreparedKnot> {
  await mkdir(dir, { recursive: true })
  const file = join(dir, 'knot.conf')
  await writeFile(file, configuration(dir, listen, zones))
  // The package installs all three programs in one folder.
  const tool = async (name: string, ...words: string[]) =>
    (await run(join(dirname(program), name), ['-c', file, ...words])).stdout
  for (const { name, signed } of zones) {
    if (signed) await tool('keymgr', origin(name), 'generate', 'algorithm=ECDSAP256SHA256', 'ksk=yes', 'zsk=yes')
  }
  return {
    async ds(zone) {
      const lines = (await tool('keymgr', origin(zone), 'ds')).split('\n')
      const sha256 = lines.find((line) => / DS \d+ \d+ 2 /.test(line))
      if (sha256 === undefined) throw new Error(`keymgr gave no DS record for ${origin(zone)}`)
      return sha256
    },
    async start(zones) {
      for (const { name, text } of zones) if (text !== null) await writeFile(join(dir, `${name || 'root'}.zone`), text)
      const background = runInBackground(program, ['-c', file], dir)
      const served = zones.filter(({ text }) => text !== null)
      const isReady = async () => {
        const status = (await tool('knotc', 'zone-status').catch(() => '')).split('\n')
        return served.every(({ name, signed }) => {
          const line = status.find((line) => line.startsWith(`[${origin(name)}]`)) ?? ''
          return /serial: \d/.test(line) && (signed === undefined || line.includes('re-sign:'))
        })
      }
      try {
        await untilReady(background, isReady)
      } catch (error) {
        await background.stop()
        throw new Error(`knotd did not start: ${(error as Error).message}`, { cause: error })
      }
      return {
        async change(zone, ...changes) {
          await tool('knotc', 'zone-begin', origin(zone))
          for (const change of changes) {
            const [verb, ...words] = change.split(' ')
            await tool('knotc', `zone-${verb}`, origin(zone), ...words)
          }
          await tool('knotc', 'zone-commit', origin(zone))
        },
        stop: () => background.stop(),
      }
    },
  }
}

const configuration = (dir: string, listen: readonly string[], zones: readonly Omit<Zone, 'text'>[]) => `
server:
    rundir: "${dir}"
    pidfile: "${dir}/knot.pid"
    listen: [ ${listen.join(', ')} ]
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
    udp-max-payload: 1232
control:
    listen: "${dir}/knot.sock"
log:
  - target: stderr
    any: warning
database:
    storage: "${dir}"
policy:
  - id: nsec
    algorithm: ecdsap256sha256
    single-type-signing: on
    ksk-lifetime: 0
    zsk-lifetime: 0
  - id: optout
    algorithm: ecdsap256sha256
    single-type-signing: on
    ksk-lifetime: 0
    zsk-lifetime: 0
    nsec3: on
    nsec3-opt-out: on
    nsec3-iterations: 0
    nsec3-salt-length: 0
template:
  - id: default
    storage: "${dir}"
    zonefile-sync: -1
    zonefile-load: difference
    journal-content: all
    semantic-checks: off
zone:
${zones
  .map(
    ({ name, signed, tcpOnly }) => `  - domain: ${origin(name)}
    file: "${name || 'root'}.zone"
${signed ? `    dnssec-signing: on\n    dnssec-policy: ${signed}\n` : ''}${tcpOnly ? '    module: mod-noudp\n' : ''}`,
  )
  .join('')}`
