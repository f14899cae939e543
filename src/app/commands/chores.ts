import packageJson from '../../../package.json' with { type: 'json' }
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { EXIT_CODES } from '../../surfaces/cli/exit-codes.ts'
import type { Io } from '../../surfaces/cli/output.ts'
import { loadConfig } from '../settings/config.ts'

/** A command that fills what the service reads from. What it needs is loaded when it is called. */
export type Chore = {
  /** The words after `onoma`. */
  readonly words: string
  readonly summary: string
  /** The text of its help, or whether all of it was done. */
  run(argv: readonly string[], io: Io): Promise<string | boolean>
}

export const CHORES: readonly Chore[] = [
  {
    words: 'trademark import',
    summary: 'Take files of the trademark register into the index',
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
    summary: 'Tidy the trademark index; an import does so at its end',
    async run(argv, io) {
      const { MERGE_HELP, mergeTrademarks } = await import('./trademark-import.ts')
      if (wantsHelp(argv)) return MERGE_HELP
      if (argv.length > 0) throw new UsageError(`trademark merge takes no words after it.\n\n${MERGE_HELP}`)
      return mergeTrademarks({ config: loadConfig(io.env), output: io.stderr, signal: io.signal })
    },
  },
  {
    words: 'trademark fetch',
    summary: 'Download new files of the trademark register',
    async run(argv, io) {
      const { FETCH_HELP, readFetchOptions } = await import('./trademark-fetch-options.ts')
      if (wantsHelp(argv)) return FETCH_HELP
      const options = readFetchOptions(argv)
      const { fetchTrademarks } = await import('./trademark-fetch.ts')
      const { importTrademarks } = await import('./trademark-import.ts')
      const needs = { config: loadConfig(io.env), output: io.stderr, signal: io.signal }
      const importFiles = (files: readonly string[]) => importTrademarks(files, needs)
      return fetchTrademarks(options, { ...needs, version: packageJson.version, importFiles })
    },
  },
  {
    words: 'auctions sync',
    summary: 'Read the auction feeds that are set up',
    async run(argv, io) {
      const { AUCTIONS_SYNC_HELP, readSourceOptions, syncAuctions } = await import('./auctions-sync.ts')
      if (wantsHelp(argv)) return AUCTIONS_SYNC_HELP
      const say = (line: string) => void io.stderr.write(`${line}\n`)
      const needs = { config: loadConfig(io.env), version: packageJson.version, say, signal: io.signal }
      return syncAuctions(readSourceOptions(argv), needs)
    },
  },
  {
    words: 'sales import',
    summary: 'Take sales of domains in, for valuations to compare with',
    async run(argv, io) {
      const { importSales, readSalesImport, SALES_IMPORT_HELP } = await import('./sales-import.ts')
      const asked = readSalesImport(argv)
      if (asked.help) return SALES_IMPORT_HELP
      return importSales(asked, { config: loadConfig(io.env), output: io.stderr, signal: io.signal })
    },
  },
]

const wantsHelp = (argv: readonly string[]): boolean => argv.includes('--help') || argv.includes('-h')

/** The chore a command line names, and what comes after its words. */
export function findChore(argv: readonly string[]): { chore: Chore; rest: readonly string[] } | undefined {
  const chore = CHORES.find(({ words }) => words === argv.slice(0, 2).join(' '))
  return chore && { chore, rest: argv.slice(2) }
}

export async function runChore({ run }: Chore, argv: readonly string[], io: Io): Promise<number> {
  const outcome = await run(argv, io)
  if (typeof outcome === 'string') io.stdout.write(outcome)
  return (outcome === false ? EXIT_CODES.failed : EXIT_CODES.ok).code
}
