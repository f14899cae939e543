import { UsageError } from '../../surfaces/cli/arguments.ts'

export const FETCH_HELP = `Usage: onoma trademark fetch [--annual] [--since YYYY-MM-DD] [--folder FOLDER] [--import] [--dry-run]

Downloads the daily files of the trademark register that the index lacks, since its newest annual register. Files that are
in the folder or were imported before are not downloaded again. The command can be stopped at any time; run it again to
continue.

  --annual            Also download the newest annual register: about 90 files, 15 to 20 GB.
  --since YYYY-MM-DD  Download the daily files from this day on, whatever the index has.
  --folder FOLDER     Download folder. Default: files in the folder of the index.
  --import            Import the files afterwards, like onoma trademark import.
  --dry-run           Only show what would be downloaded.

ONOMA_TRADEMARK_OFFICE_KEY is the key for the Office's open data portal. Keys are free at https://data.uspto.gov.
`

export type FetchOptions = {
  readonly annual: boolean
  readonly import: boolean
  readonly dryRun: boolean
  readonly help: boolean
  readonly since: string | undefined
  readonly folder: string | undefined
}

/** Throws UsageError if the arguments are invalid. */
export function parseFetchOptions(args: readonly string[]): FetchOptions {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (['--annual', '--import', '--dry-run', '--help', '-h'].includes(arg)) flags.add(arg)
    else {
      const [, option, inline] = /^(--since|--folder)(?:=(.*))?$/s.exec(arg) ?? []
      if (option === undefined) throw new UsageError(`trademark fetch has no option ${arg}.\n\n${FETCH_HELP}`)
      const value = inline ?? args[++at] ?? ''
      if (value === '') throw new UsageError(`${option} needs a value.`)
      values.set(option, value)
    }
  }
  const since = values.get('--since')
  if (since !== undefined && !isDate(since)) throw new UsageError('--since must be a date such as 2026-01-31.')
  return {
    annual: flags.has('--annual'),
    import: flags.has('--import'),
    dryRun: flags.has('--dry-run'),
    help: flags.has('--help') || flags.has('-h'),
    since,
    folder: values.get('--folder'),
  }
}

/** Whether the text is an existing date, unlike 2026-02-30. */
function isDate(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
