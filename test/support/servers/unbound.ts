import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInBackground, untilReady } from './process.ts'
import type { RunningServer, Server } from './server.ts'

/** The validating recursor. Each suite has its own zones, so each starts its own with `startUnbound`. */
export const unbound: Server = { name: 'unbound', packages: ['unbound'], program: 'unbound' }

type Options = {
  /** Where it listens, as `ip@port`; the addresses in `servers` have the same form. */
  readonly listen: string
  /** The server of each zone, because real delegations lead to port 53, which only root may open. The root zone is ''. */
  readonly servers: Readonly<Record<string, string>>
  /** The DS record of the root. */
  readonly trustAnchor: string
}

export async function startUnbound(program: string, dir: string, options: Options): Promise<RunningServer> {
  await mkdir(dir, { recursive: true })
  const file = join(dir, 'unbound.conf')
  await writeFile(file, configuration(dir, options))
  const background = runInBackground(program, ['-d', '-c', file], dir)
  try {
    // Written once it listens.
    await untilReady(background, () => existsSync(join(dir, 'unbound.pid')))
  } catch (error) {
    await background.stop()
    throw new Error(`unbound did not start: ${(error as Error).message}`, { cause: error })
  }
  return { address: options.listen.replace('@', ':'), stop: () => background.stop() }
}

const configuration = (dir: string, { listen, servers, trustAnchor }: Options) => `
server:
  directory: "${dir}"
  chroot: ""
  username: ""
  pidfile: "${dir}/unbound.pid"
  use-syslog: no
  interface: ${listen}
  do-ip6: no
  do-not-query-localhost: no
  module-config: "validator iterator"
  trust-anchor: "${trustAnchor}"
  num-threads: 1
  outgoing-range: 256
  num-queries-per-thread: 128
  msg-cache-size: 4m
  rrset-cache-size: 4m
  unknown-server-time-limit: 100
remote-control:
  control-enable: no
${Object.entries(servers)
  .map(([zone, server]) => `stub-zone:\n  name: "${zone}."\n  stub-addr: ${server}\n`)
  .join('')}`
