import { UsageError } from '../../surfaces/cli/arguments.ts'
import { EXIT_CODES } from '../../surfaces/cli/exit-codes.ts'
import type { Io } from '../../surfaces/cli/output.ts'
import type { RecordFilter } from '../../trademark/engine/build/record-filter.ts'
import { loadConfig } from '../settings/config.ts'

/** A command of the operator: it loads data for the service or looks after payments. Its modules are imported when it runs, to keep other commands fast. */
export type DataCommand = {
  /** The words after `onoma`. */
  readonly words: string
  readonly summary: string
  /** Returns the help text to print, or whether everything succeeded. */
  run(argv: readonly string[], io: Io): Promise<string | boolean>
}

export const DATA_COMMANDS: readonly DataCommand[] = [
  {
    words: 'trademark import',
    summary: 'Import files of the trademark register into the index',
    async run(files, io) {
      const { IMPORT_HELP, importTrademarks } = await import('./trademark-import.ts')
      if (wantsHelp(files)) return IMPORT_HELP
      const option = files.find((file) => file.startsWith('-'))
      if (option !== undefined) throw new UsageError(`trademark import has no option ${option}.\n\n${IMPORT_HELP}`)
      if (files.length === 0) throw new UsageError(`trademark import needs at least one file.\n\n${IMPORT_HELP}`)
      return importTrademarks(files, { config: loadConfig(io.env), output: io.stderr, signal: io.signal })
    },
  },
  {
    words: 'trademark merge',
    summary: 'Merge the segments of the trademark index; an import ends with this',
    async run(argv, io) {
      const { MERGE_HELP, mergeTrademarks } = await import('./trademark-import.ts')
      if (wantsHelp(argv)) return MERGE_HELP
      if (argv.length > 0) throw new UsageError(`trademark merge takes no arguments.\n\n${MERGE_HELP}`)
      return mergeTrademarks({ config: loadConfig(io.env), output: io.stderr, signal: io.signal })
    },
  },
  {
    words: 'trademark fetch',
    summary: 'Download new files of the trademark register',
    async run(argv, io) {
      const { FETCH_HELP, parseFetchOptions } = await import('./trademark-fetch-options.ts')
      if (wantsHelp(argv)) return FETCH_HELP
      const options = parseFetchOptions(argv)
      const { fetchTrademarks } = await import('./trademark-fetch.ts')
      const { importTrademarks } = await import('./trademark-import.ts')
      const needs = { config: loadConfig(io.env), output: io.stderr, signal: io.signal }
      const importFiles = (files: readonly string[], filter: RecordFilter) =>
        importTrademarks(files, { ...needs, filter })
      return fetchTrademarks(options, { ...needs, importFiles })
    },
  },
  {
    words: 'auctions sync',
    summary: 'Load the configured auction feeds',
    async run(argv, io) {
      const { AUCTIONS_SYNC_HELP, parseSourceOptions, syncAuctions } = await import('./auctions-sync.ts')
      if (wantsHelp(argv)) return AUCTIONS_SYNC_HELP
      const say = (line: string) => void io.stderr.write(`${line}\n`)
      const needs = { config: loadConfig(io.env), say, signal: io.signal }
      return syncAuctions(parseSourceOptions(argv), needs)
    },
  },
  {
    words: 'sales import',
    summary: 'Import domain sales for valuations to compare with',
    async run(argv, io) {
      const { importSales, parseSalesImport, SALES_IMPORT_HELP } = await import('./sales-import.ts')
      const options = parseSalesImport(argv)
      if (options.help) return SALES_IMPORT_HELP
      return importSales(options, { config: loadConfig(io.env), output: io.stderr, signal: io.signal })
    },
  },
  {
    words: 'browser install',
    summary: 'Download the browser that /v1/intel visits pages with',
    async run(argv, io) {
      const { BROWSER_INSTALL_HELP, installBrowser, parseBrowserInstall } = await import('./browser-install.ts')
      if (wantsHelp(argv)) return BROWSER_INSTALL_HELP
      const { thisMachine } = await import('../wiring/machine.ts')
      const { chromium: configured } = loadConfig(io.env)
      const needs = { configured, machine: thisMachine(), output: io.stderr, signal: io.signal }
      return installBrowser(parseBrowserInstall(argv), needs)
    },
  },
  {
    words: 'doctor',
    summary: 'Check every part of the service, and say what to do about those that fail',
    async run(argv, io) {
      const { DOCTOR_HELP, examine, parseDoctorOptions } = await import('./doctor.ts')
      if (wantsHelp(argv)) return DOCTOR_HELP
      return examine(parseDoctorOptions(argv), { config: loadConfig(io.env), output: io.stdout })
    },
  },
  {
    words: 'payments check',
    summary: 'Check whether real payments can be taken, and say what to do',
    async run(argv, io) {
      const { checkPayments, PAYMENTS_CHECK_HELP } = await import('./payments-check.ts')
      if (wantsHelp(argv)) return PAYMENTS_CHECK_HELP
      if (argv.length > 0) throw new UsageError(`payments check takes no arguments.\n\n${PAYMENTS_CHECK_HELP}`)
      return checkPayments({ config: loadConfig(io.env), output: io.stdout })
    },
  },
  {
    words: 'payments report',
    summary: 'List the payments in the ledger, or their totals',
    async run(argv, io) {
      const { parseReportOptions, PAYMENTS_REPORT_HELP, reportPayments } = await import('./payments-report.ts')
      if (wantsHelp(argv)) return PAYMENTS_REPORT_HELP
      const options = parseReportOptions(argv)
      return reportPayments(options, { config: loadConfig(io.env), stdout: io.stdout, stderr: io.stderr })
    },
  },
]

const wantsHelp = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h')

/** The command that a command line names, and the arguments after its name. */
export function findDataCommand(
  argv: readonly string[],
): { command: DataCommand; rest: readonly string[] } | undefined {
  const command = DATA_COMMANDS.find(({ words }) => words === argv.slice(0, words.split(' ').length).join(' '))
  return command && { command, rest: argv.slice(command.words.split(' ').length) }
}

export async function runDataCommand({ run }: DataCommand, argv: readonly string[], io: Io): Promise<number> {
  const outcome = await run(argv, io)
  if (typeof outcome === 'string') io.stdout.write(outcome)
  return (outcome === false ? EXIT_CODES.failed : EXIT_CODES.ok).code
}
