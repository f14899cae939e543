import * as z from 'zod'
import type { Route } from '../kernel/endpoint.ts'
import { type Common, parseArguments, UsageError } from '../surfaces/cli/arguments.ts'
import { runCommand } from '../surfaces/cli/command.ts'
import { EXIT_CODES } from '../surfaces/cli/exit-codes.ts'
import type { OwnCommand } from '../surfaces/cli/help.ts'
import { type Io, formatResult } from '../surfaces/cli/output.ts'
import { DATA_COMMANDS, findDataCommand, runDataCommand } from './commands/data-commands.ts'
import { type Config, ConfigError, loadConfig, settingsInForce } from './settings/config.ts'
import { behaveAsCommand, mergeSettings, readEnvFile } from './process.ts'
import { SETTINGS } from './settings/table.ts'
import { version } from './version.ts'

/** What the commands run. Imported on demand, so that `onoma version` is fast. */
export type Parts = {
  serve(config: Config): Promise<void>
  serveMcp(config: Config): Promise<void>
  compose(config: Config): Promise<{ readonly routes: readonly Route[]; close(): Promise<void> }>
}

const parts: Parts = {
  serve: async (config) => (await import('./main.ts')).serve(config),
  serveMcp: async (config) => (await import('./commands/mcp-stdio.ts')).serveMcpOverStdio(config),
  compose: async (config) => (await import('./compose.ts')).composeRoutes(config),
}

const OWN = {
  serve: 'Start the service (what npm start does)',
  mcp: 'Serve the commands as MCP tools over standard input and output',
  config: 'Show the settings in force and where each comes from',
  version: 'Show the version',
  help: 'Show this list, or the help of the command named after it',
} as const
const OWN_COMMANDS: OwnCommand[] = [
  ...DATA_COMMANDS.map(({ words, summary }) => ({ words, summary })),
  ...Object.entries(OWN).map(([words, summary]) => ({ words, summary })),
]

/**
 * Runs one command line. Returns the exit code, or undefined if the command keeps the process running.
 * `fromEnvFile` names the settings that came from a `.env` file.
 */
export async function dispatch(
  argv: readonly string[],
  io: Io,
  { fromEnvFile = new Set(), run = parts }: { fromEnvFile?: ReadonlySet<string>; run?: Parts } = {},
): Promise<number | undefined> {
  const [first = '--help', ...rest] = argv
  try {
    const found = findDataCommand(argv)
    if (found) return await runDataCommand(found.command, found.rest, io)
    switch (first) {
      case 'serve':
      case 'mcp':
        if (parseOwnOptions(first, rest).help) return print(io, first === 'serve' ? serveHelp() : mcpHelp())
        await (first === 'serve' ? run.serve(loadConfig(io.env)) : run.serveMcp(loadConfig(io.env)))
        return undefined
      case 'config':
        return print(io, showConfig(parseOwnOptions(first, rest), io, fromEnvFile))
      case 'version':
      case '--version':
        parseOwnOptions(first, rest)
        return print(io, `onoma ${version}\n`)
      case 'help':
        return await dispatch([...rest, '--help'], io, { fromEnvFile, run })
      default:
        return await runOverRoutes([first, ...rest], io, run)
    }
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof UsageError)) throw error
    io.stderr.write(`${error.message}\n`)
    return EXIT_CODES.invalid.code
  }
}

function print(io: Io, text: string): number {
  io.stdout.write(text)
  return EXIT_CODES.ok.code
}

/** The options of a command that takes no input. */
const parseOwnOptions = (name: string, argv: readonly string[]): Common =>
  parseArguments({ name, input: z.object({}), path: '/' }, argv)

async function runOverRoutes(argv: readonly string[], io: Io, { compose }: Parts): Promise<number> {
  const config = configFor(argv, io)
  for (const warning of config.warnings) io.stderr.write(`${warning}\n`)
  const { routes, close } = await compose(config)
  try {
    return await runCommand(routes, argv, io, OWN_COMMANDS)
  } finally {
    await close()
  }
}

/** Show help even if the configuration is invalid. */
function configFor(argv: readonly string[], { env }: Io): Config {
  const wantsHelp = argv.includes('--help') || argv.includes('-h')
  try {
    return loadConfig(env)
  } catch (error) {
    if (wantsHelp && error instanceof ConfigError) return loadConfig({})
    throw error
  }
}

function showConfig(options: Common, io: Io, fromEnvFile: ReadonlySet<string>): string {
  if (options.help) return configHelp()
  const { settings, warnings } = settingsInForce(io.env, fromEnvFile)
  for (const warning of warnings) io.stderr.write(`${warning}\n`)
  // Always a table by default, also in a pipe: it is read by people, often through grep.
  return formatResult(
    { settings },
    z.object({ settings: z.array(z.looseObject({})) }),
    { ...options, format: options.format ?? 'human' },
    io,
  )
}

const MAIN_SETTINGS = ['PORT', 'HOST', 'ENS_PORT', 'ONOMA_PUBLIC_URL', 'ONOMA_DATA_DIR', 'ONOMA_RATE_LIMIT'] as const

function serveHelp(): string {
  const settings = MAIN_SETTINGS.map((name) => {
    const { default: value, unset, meaning } = SETTINGS[name]
    return `  ${name.padEnd(18)}${meaning} Default: ${value || unset}.`
  })
  return `Usage: onoma serve

${OWN.serve}. It runs until SIGTERM or Ctrl-C, and finishes requests in flight before it exits.

The settings most often changed, from the environment or a .env file:
${settings.join('\n')}

onoma config lists all settings, their values and what they mean.
`
}

const mcpHelp = (): string => `Usage: onoma mcp

${OWN.mcp}, for an agent on this machine.
A running service has the same tools at /mcp.
Paid tools are free here: the process is your own. At /mcp they are bought with a payment in the call.
`

const configHelp = (): string => `Usage: onoma config [--json | --ndjson | --csv]

${OWN.config}. Secrets are masked.
A setting comes from the environment, from a .env file in the working directory, or from its default.
`

/** The whole program: `bin/onoma.js` calls it. */
export async function main(): Promise<void> {
  const [, , ...argv] = process.argv
  try {
    const fileEnv = readEnvFile('.env')
    const fromEnvFile = new Set(Object.keys(fileEnv).filter((name) => process.env[name] === undefined))
    const env = mergeSettings(fileEnv, process.env)
    // `serve` and `mcp` handle signals and closed pipes themselves.
    const interrupt = argv[0] === 'serve' || argv[0] === 'mcp' ? undefined : behaveAsCommand()
    const signal = interrupt?.signal ?? new AbortController().signal
    const code = await dispatch(argv, { stdout: process.stdout, stderr: process.stderr, env, signal }, { fromEnvFile })
    // Exit explicitly: a capability may hold a handle open, and all output is written by now.
    if (code !== undefined) process.exit(interrupt?.exitCode() ?? code)
  } catch (error) {
    process.stderr.write(`onoma failed: ${error instanceof Error ? error.message : String(error)}\n`)
    if (/^(debug|trace)$/i.test(process.env['ONOMA_LOG_LEVEL'] ?? '')) console.error(error)
    process.exitCode = EXIT_CODES.failed.code
  }
}
