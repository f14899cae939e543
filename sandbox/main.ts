import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { ConfigError } from '../src/app/settings/config.ts'
import { startService } from '../src/app/service.ts'
import { createLog, stdoutDestination } from '../src/kernel/log.ts'
import { UsageError } from '../src/surfaces/cli/arguments.ts'
import { EXIT_CODES } from '../src/surfaces/cli/exit-codes.ts'
import { ListenError } from '../src/surfaces/http/listener.ts'
import { greeting } from './greeting.ts'
import { readWishes, sandboxConfig } from './settings.ts'
import { SIMULATORS } from './simulators.ts'
import { startWorld, type World } from './world.ts'

const USAGE = `usage: npm run sandbox -- [--seed N] [--quiet]

Starts the service against a simulated internet on loopback. It needs no root and no network, and keeps nothing.

  --seed N   another world: the same number always gives the same answers (default 1)
  --quiet    print the address of the API and nothing else
  --help     print this

PORT (8080), ENS_PORT (8081) and ONOMA_METRICS (9464) choose ports; where one is taken, a free one is used instead.
`

type Options = { readonly seed: number; readonly quiet: boolean; readonly help: boolean }

function readOptions(args: string[]): Options {
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
    throw new Error(`--seed must be a whole number of at most nine digits, not "${values.seed}".`)
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE.trim()}`, { cause: error })
  }
}

async function main(args: string[]): Promise<number> {
  try {
    const { seed, quiet, help } = readOptions(args)
    if (help) {
      process.stdout.write(USAGE)
      return EXIT_CODES.ok.code
    }
    const wishes = readWishes(process.env)
    const toldToStop = listenForSignals()
    const world = await startWorld(SIMULATORS, { seed })
    // For an end that does not come to the lines below.
    process.on('exit', () => rmSync(world.folder, { recursive: true, force: true }))
    try {
      const { config, notes } = await sandboxConfig(wishes, world)
      for (const note of [...wishes.notes, ...notes]) process.stderr.write(`${note}\n`)
      await serveUntil(toldToStop, config, world, quiet)
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
  toldToStop: Promise<void>,
  config: Parameters<typeof startService>[0],
  world: World,
  quiet: boolean,
): Promise<void> {
  const destination = stdoutDestination(process.stderr.fd)
  const service = await startService(config, { log: createLog(config.logLevel, destination) })
  try {
    process.stdout.write(quiet ? `${service.url}\n` : greeting(service, world))
    await toldToStop
    if (!quiet) process.stdout.write('\nStopping.\n')
  } finally {
    await service.stop({ lingerMs: 0 })
    destination.flushSync()
  }
}

/** npm sends on what the terminal has sent already: what comes almost at once is the same key pressed once. */
const ECHO_MS = 250

/** Resolves at the first signal. The second ends the process without waiting for anything. */
function listenForSignals(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let first: number | undefined
  const hear = () => {
    const now = performance.now()
    if (first !== undefined && now - first > ECHO_MS) process.exit(EXIT_CODES.failed.code)
    first ??= now
    resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear)
  // The sandbox serves on when whoever read the greeting has gone.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  return promise
}

process.exitCode = await main(process.argv.slice(2))
