import type { RunningServer, Server } from '../../test/support/servers/server.ts'
import { absenceVariable, addressVariable } from '../../test/support/servers/for-suites.ts'
import type { Suite } from './suites.ts'

/** `off`: install nothing, name what is missing instead. */
export const SETUP_VARIABLE = 'ONOMA_TEST_SETUP'

/** False for `off`. Anything but `on`, `off` or nothing is an error, so that a misspelling does not install packages. */
export function mayInstall(value = ''): boolean {
  if (!['', 'on', 'off'].includes(value)) throw new Error(`${SETUP_VARIABLE} is "${value}"; it must be on or off.`)
  return value !== 'off'
}

/** What the functions below need from the machine; faked in their tests. */
export type Machine = {
  /** False if missing packages must be named instead of installed. */
  readonly mayInstall: boolean
  /** The program's full path, or null. */
  find(program: string): string | null
  /** Installs Debian packages; null if this user or machine cannot. */
  installer(): ((packages: readonly string[]) => Promise<void>) | null
  /** A new, empty folder for one server. */
  newFolder(name: string): Promise<string>
  /** Shows a line to the user. */
  print(line: string): void
}

export type Prepared = {
  /** For the environment of the test run. */
  readonly env: Readonly<Record<string, string>>
  /** Server name → why it is missing. */
  readonly absent: ReadonlyMap<string, string>
  stop(): Promise<void>
}

/** Installs missing servers, if allowed, and starts each one that all suites share. */
export async function prepareServers(
  servers: readonly Server[],
  suites: readonly Suite[],
  machine: Machine,
): Promise<Prepared> {
  const running: RunningServer[] = []
  const absent = new Map<string, string>()
  const env: Record<string, string> = {}
  const installFailure = await installMissing(servers, suites, machine)
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

/** Installs what is missing. Returns the reason why a program that is still missing is missing. */
async function installMissing(
  servers: readonly Server[],
  suites: readonly Suite[],
  { find, installer, mayInstall, print }: Machine,
): Promise<string> {
  const missing = servers.filter(({ program }) => find(program) === null)
  if (missing.length === 0) return ''
  const packages = missing.flatMap((server) => server.packages)
  const command = `apt-get install ${packages.join(' ')}`
  if (!mayInstall) return `it is not installed, and ${SETUP_VARIABLE}=off forbids installing it (as root: ${command})`
  const install = installer()
  if (install === null)
    return `it is not installed, and cannot be installed by this user on this system (as root on Debian: ${command})`
  for (const line of announcement(missing, suites)) print(line)
  try {
    await install(packages)
    return `it is missing although ${packages.join(', ')} was installed`
  } catch (error) {
    return `it could not be installed: ${(error as Error).message}`
  }
}

/** What is about to be installed, which suites need it, and how to prevent that. */
function announcement(missing: readonly Server[], suites: readonly Suite[]): string[] {
  return [
    'Some tests need a real server. Installing these Debian packages now:',
    ...missing.map(({ name, packages }) => {
      const files = suites.filter(({ needs }) => needs.includes(name)).map(({ file }) => file)
      const others = files.length > 1 ? ` and ${files.length - 1} more` : ''
      return `  ${packages.join(', ')}: ${name}, for ${files[0]}${others}`
    }),
    `With ${SETUP_VARIABLE}=off nothing is installed and these tests are skipped.`,
  ]
}

/** One line for every suite that was skipped because a server is missing. */
export function skippedSuites(suites: readonly Suite[], absent: ReadonlyMap<string, string>): string[] {
  return suites.flatMap(({ file, needs }) =>
    needs.filter((name) => absent.has(name)).map((name) => `${file} needs ${name}: ${absent.get(name)}`),
  )
}

/** A skipped suite is a failure in CI only. */
export const exitCode = (runner: number, skipped: readonly string[], ci: boolean): number =>
  runner === 0 && ci && skipped.length > 0 ? 1 : runner
