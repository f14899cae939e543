import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ConfigError } from '../src/app/settings/config.ts'
import { onNpmGone } from '../src/app/process.ts'
import { startService } from '../src/app/service.ts'
import { createLog, stdoutDestination } from '../src/kernel/log.ts'
import { UsageError } from '../src/surfaces/cli/arguments.ts'
import { EXIT_CODES } from '../src/surfaces/cli/exit-codes.ts'
import { ListenError } from '../src/surfaces/http/listener.ts'
import { greeting } from './greeting.ts'
import { parseSandboxEnv, sandboxConfig } from './settings.ts'
import { SIMULATORS } from './simulators.ts'
import { startWorld, type World } from './world.ts'

const USAGE = `usage: npm run sandbox -- [--seed N] [--quiet]

Starts the service with a simulated internet on loopback. It needs no root, no network and no account. Its files are
in a temporary folder that is deleted at the end.

  --seed N   Seed of the simulated data; the same seed always gives the same answers (default 1)
  --quiet    Print the address of the API and nothing else
  --help     Print this help

The environment variables PORT (default 8080), ENS_PORT (8081) and ONOMA_METRICS (9464) set the ports. A port in use is
replaced by a free one.
`

type Options = { readonly seed: number; readonly quiet: boolean; readonly help: boolean }

function parseOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (/^\d{1,9}$/.test(values.seed)) return { ...values, seed: Number(values.seed) }
    throw new Error(`--seed must be a whole number from 0 to 999999999, not "${values.seed}".`)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE.trim()}`, { cause: error })
  }
}

async function main(args: string[]): Promise<number> {
  try {
    const { seed, quiet, help } = parseOptions(args)
    if (help) {
      process.stdout.write(USAGE)
      return EXIT_CODES.ok.code
    }
    const requested = parseSandboxEnv(process.env)
    const stopRequested = listenForSignals()
    const world = await startWorld(SIMULATORS, { seed })
    // Also deletes the folder if the process exits without reaching `world.stop()`.
    process.on('exit', () => rmSync(world.folder, { recursive: true, force: true }))
    try {
      const { config, notes } = await sandboxConfig(requested, world)
      for (const note of [...requested.notes, ...notes]) process.stderr.write(`${note}\n`)
      await serveUntil(stopRequested, config, world, quiet)
    } finally {
      await world.stop()
    }
    return EXIT_CODES.ok.code
  } catch (error) {
    const known = error instanceof UsageError || error instanceof ConfigError || error instanceof ListenError
    if (!known) throw error
    process.stderr.write(`The sandbox cannot start.\n${error.message}\n`)
    return error instanceof ListenError ? EXIT_CODES.failed.code : EXIT_CODES.invalid.code
  }
}

async function serveUntil(
  stopRequested: Promise<void>,
  config: Parameters<typeof startService>[0],
  world: World,
  quiet: boolean,
): Promise<void> {
  const destination = stdoutDestination(process.stderr.fd)
  const service = await startService(config, { log: createLog(config.logLevel, destination) })
  try {
    process.stdout.write(quiet ? `${service.url}\n` : greeting(service, world))
    await stopRequested
    if (!quiet) process.stdout.write('\nStopping.\n')
  } finally {
    await service.stop({ lingerMs: 0 })
    destination.flushSync()
  }
}

/** The terminal signals this process and npm, which forwards the signal: both arrive for one key press. */
const DUPLICATE_SIGNAL_MS = 250

/** Resolves on the first signal. A second one exits at once. */
function listenForSignals(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let firstAt: number | undefined
  const onSignal = () => {
    const now = performance.now()
    if (firstAt !== undefined && now - firstAt > DUPLICATE_SIGNAL_MS) process.exit(EXIT_CODES.failed.code)
    firstAt ??= now
    resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  onNpmGone(onSignal)
  // Keep serving when the reader of the output goes away, as in `npm run sandbox | head`.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return promise
}

process.exitCode = await main(process.argv.slice(2))
