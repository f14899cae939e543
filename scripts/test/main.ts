import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVERS } from '../../test/support/servers/index.ts'
import { findProgram } from '../../test/support/servers/process.ts'
import { debianInstaller } from './debian.ts'
import { runSuites } from './runner.ts'
import { exitCode, mayInstall, prepareServers, SETUP_VARIABLE, skippedSuites } from './servers.ts'
import { findSuites, neededServers, selectSuites } from './suites.ts'

const ON_WINDOWS =
  'The service runs on Windows, but its tests are made for Linux and macOS: those about signals, symbolic links and file modes fail here. Use WSL or a container.'

const root = join(import.meta.dirname, '../..')

const interrupted = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    // The second signal exits at once; child processes are killed on exit.
    if (interrupted.signal.aborted) process.exit(1)
    interrupted.abort(name)
  })
}

const words = process.argv.slice(2)
const options = words.filter((word) => word.startsWith('-'))
const patterns = words.filter((word) => !word.startsWith('-'))

try {
  process.exitCode = await main()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
if (interrupted.signal.aborted) process.exitCode = 128 + constants.signals[interrupted.signal.reason as NodeJS.Signals]

async function main(): Promise<number> {
  if (process.platform === 'win32') console.error(ON_WINDOWS)
  const setUp = mayInstall(process.env[SETUP_VARIABLE])
  const suites = selectSuites(findSuites(root), patterns)
  if (suites.length === 0) throw new Error(`No test file matches ${patterns.join(' ')}.`)
  const needed = neededServers(suites, SERVERS)
  const folder = await mkdtemp(join(tmpdir(), 'onoma-test-'))
  try {
    const { signal } = interrupted
    const servers = await prepareServers(needed, suites, {
      mayInstall: setUp,
      find: findProgram,
      installer: () => debianInstaller(signal),
      async newFolder(name) {
        await mkdir(join(folder, name))
        return join(folder, name)
      },
      print: console.error,
    })
    try {
      if (signal.aborted) return 1
      const files = suites.map(({ file }) => file)
      // Temporary files of the suites are deleted with ours.
      const env = { ...ownEnvironment(), ...servers.env, TMPDIR: folder, TEMP: folder, TMP: folder }
      const code = await runSuites({ root, files, options, env, signal })
      return verdict(code, skippedSuites(suites, servers.absent))
    } finally {
      await servers.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The environment without settings of a service that may run on this machine: tests choose their own. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const settings = /^(ONOMA_(?!UPDATE_GOLDEN$).*|PORT|HOST|ENS_PORT|(?:HTTPS?|NO)_PROXY)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !settings.test(name)))
}

function verdict(runner: number, skipped: readonly string[]): number {
  const ci = process.env['CI'] === 'true'
  if (skipped.length > 0) {
    console.log(['\nSkipped because a server is missing:', ...skipped].join('\n  '))
    if (ci) console.log('With CI=true a skipped suite is a failure.')
  }
  return exitCode(runner, skipped, ci)
}
