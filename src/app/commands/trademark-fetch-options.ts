import { UsageError } from '../../surfaces/cli/arguments.ts'

export const FETCH_HELP = `Usage: onoma trademark fetch [--years N | --annual] [--classes LIST] [--since YYYY-MM-DD] [--folder FOLDER]
                             [--import] [--dry-run]

Downloads the daily files of the trademark register that the index lacks, since its newest annual register. Says first what
that needs: the key, disk and minutes. Files that are in the folder or were imported before are not downloaded again. The
command can be stopped at any time; run it again to continue.

  --years N           Begin with the marks filed in the last N years: the newest files of the annual register, until a file
                      has no such marks. About a gigabyte per year. Needs --import.
  --annual            Download the whole newest annual register: about 90 files, 15 to 20 GB.
  --classes LIST      Keep only marks in one of these Nice classes, such as 9,42. Everything is downloaded, but the index is
                      smaller. Needs --import.
  --since YYYY-MM-DD  Download the daily files from this day on, whatever the index has.
  --folder FOLDER     Download folder. Default: files in the folder of the index.
  --import            Import the files, like onoma trademark import. Those of an annual register can be searched as they
                      arrive, the first after minutes.
  --dry-run           Only show what would be downloaded, and what it needs.

A part of the register can be completed later: the same command with more years, or with --annual, adds the rest.
ONOMA_TRADEMARK_OFFICE_KEY is the key for the Office's open data portal. Keys are free at https://data.uspto.gov.
`

export type FetchOptions = {
  readonly annual: boolean
  readonly import: boolean
  readonly dryRun: boolean
  readonly help: boolean
  readonly since: string | undefined
  readonly folder: string | undefined
  /** Only marks filed in this number of years before now, and in this one. */
  readonly years?: number | undefined
  /** Only marks in these classes, as three digits. */
  readonly classes?: readonly string[] | undefined
}

/** Throws UsageError if the arguments are invalid. */
export function parseFetchOptions(args: readonly string[]): FetchOptions {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (['--annual', '--import', '--dry-run', '--help', '-h'].includes(arg)) flags.add(arg)
    else {
      const [, option, inline] = /^(--since|--folder|--years|--classes)(?:=(.*))?$/s.exec(arg) ?? []
      if (option === undefined) throw new UsageError(`trademark fetch has no option ${arg}.\n\n${FETCH_HELP}`)
      const value = inline ?? args[++at] ?? ''
      if (value === '') throw new UsageError(`${option} needs a value.`)
      values.set(option, value)
    }
  }
  const since = values.get('--since')
  if (since !== undefined && !isDate(since)) throw new UsageError('--since must be a date such as 2026-01-31.')
  const years = parseYears(values.get('--years'))
  const classes = parseClasses(values.get('--classes'))
  if ((years ?? classes) !== undefined && !flags.has('--import') && !flags.has('--dry-run'))
    throw new UsageError('--years and --classes need --import: only an import can select records.')
  return {
    ...(years !== undefined && { years }),
    ...(classes !== undefined && { classes }),
    annual: flags.has('--annual') || years !== undefined,
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

const MAX_YEARS = 150

function parseYears(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const years = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (years < 1 || years > MAX_YEARS) throw new UsageError(`--years must be a whole number from 1 to ${MAX_YEARS}.`)
  return years
}

function parseClasses(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined
  const classes = text.split(',').map((one) => {
    const number = /^\s*\d{1,3}\s*$/.test(one) ? Number(one) : 0
    if (number < 1 || number > 45) throw new UsageError('--classes must be Nice classes from 1 to 45, such as 9,42.')
    return String(number).padStart(3, '0')
  })
  return [...new Set(classes)].toSorted()
}
