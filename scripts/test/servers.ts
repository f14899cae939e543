import type { RunningServer, Server } from '../../test/support/servers/server.ts'
import { absenceVariable, addressVariable } from '../../test/support/servers/for-suites.ts'
import type { Suite } from './suites.ts'

/** What the decisions below need from the machine; faked in their tests. */
export type Machine = {
  /** The program's full path, or null. */
  find(program: string): string | null
  /** What installs Debian packages here; null where this user may not. */
  installer(): ((packages: readonly string[]) => Promise<void>) | null
  /** A new, empty folder for one server. */
  newFolder(name: string): Promise<string>
}

export type Prepared = {
  /** For the environment of the test run. */
  readonly env: Readonly<Record<string, string>>
  /** Server name → why it is not there. */
  readonly absent: ReadonlyMap<string, string>
  stop(): Promise<void>
}

/** Installs what is missing, where that is allowed, and starts each server that runs for all suites together. */
export async function prepareServers(servers: readonly Server[], machine: Machine): Promise<Prepared> {
  const running: RunningServer[] = []
  const absent = new Map<string, string>()
  const env: Record<string, string> = {}
  const installFailure = await installMissing(servers, machine)
  for (const server of servers) {
    try {
      const program = machine.find(server.program)
      if (program === null) throw new Error(installFailure)
      const started = await server.start?.(program, await machine.newFolder(server.name))
      if (started) running.push(started)
      env[addressVariable(server.name)] = started?.address ?? program
    } catch (error) {
      absent.set(server.name, (error as Error).message)
      env[absenceVariable(server.name)] = `${server.name}: ${(error as Error).message}`
    }
  }
  return {
    env: { ...env, TEST_SERVERS: servers.map(({ name }) => name).join(',') },
    absent,
    async stop() {
      for (const server of running.toReversed()) await server.stop()
    },
  }
}

/** Why a program that is still missing is missing. */
async function installMissing(servers: readonly Server[], machine: Machine): Promise<string> {
  const packages = servers.filter(({ program }) => machine.find(program) === null).flatMap((server) => server.packages)
  if (packages.length === 0) return ''
  const install = machine.installer()
  if (install === null) {
    return `it is not installed, and this user may not install it (as root: apt-get install ${packages.join(' ')})`
  }
  try {
    await install(packages)
    return `installing ${packages.join(', ')} did not bring it`
  } catch (error) {
    return `it could not be installed: ${(error as Error).message}`
  }
}

/** One line for every suite that was skipped because a server it needs is absent. */
export function skippedSuites(suites: readonly Suite[], absent: ReadonlyMap<string, string>): string[] {
  return suites.flatMap(({ file, needs }) =>
    needs.filter((name) => absent.has(name)).map((name) => `${file} needs ${name}: ${absent.get(name)}`),
  )
}

/** A run that skipped a suite is good enough for a laptop; where the answer is relied upon it is a failure. */
export const exitCode = (runner: number, skipped: readonly string[], ci: boolean): number =>
  runner === 0 && ci && skipped.length > 0 ? 1 : runner
