import { UsageError } from '../../surfaces/cli/arguments.ts'

export const FETCH_HELP = `Usage: onoma trademark fetch [--annual] [--since YYYY-MM-DD] [--folder FOLDER] [--import] [--dry-run]

Downloads files of the trademark register from the Office that the index does not have: those of every day since its
newest whole register. What is in the folder already is not downloaded again, and what the index has taken in neither,
even where its file is gone. It may be stopped at any time; the same command continues.

  --annual            Also the newest whole register: some 90 files, 15 to 20 GB.
  --since YYYY-MM-DD  Days from this one on, whatever the index has.
  --folder FOLDER     Where files go. Default: files in the folder of the index.
  --import            Take them in afterwards, as onoma trademark import does.
  --dry-run           Only tell what would be downloaded.

ONOMA_TRADEMARK_OFFICE_KEY is the key for the Office's open data portal; https://data.uspto.gov gives one out for free.
`

export type FetchOptions = {
  readonly annual: boolean
  readonly import: boolean
  readonly dryRun: boolean
  readonly help: boolean
  readonly since: string | undefined
  readonly folder: string | undefined
}

/** Throws UsageError where the words cannot be understood. */
export function parseFetchOptions(words: readonly string[]): FetchOptions {
  const flags = new Set<string>()
  const values = new Map<string, string>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (['--annual', '--import', '--dry-run', '--help', '-h'].includes(word)) flags.add(word)
    else {
      const [, option, inline] = /^(--since|--folder)(?:=(.*))?$/s.exec(word) ?? []
      if (option === undefined) throw new UsageError(`trademark fetch has no option ${word}.\n\n${FETCH_HELP}`)
      const value = inline ?? words[++at] ?? ''
      if (value === '') throw new UsageError(`${option} needs a value.`)
      values.set(option, value)
    }
  }
  const since = values.get('--since')
  if (since !== undefined && !isDay(since)) throw new UsageError('--since must be a day, such as 2026-01-31.')
  return {
    annual: flags.has('--annual'),
    import: flags.has('--import'),
    dryRun: flags.has('--dry-run'),
    help: flags.has('--help') || flags.has('-h'),
    since,
    folder: values.get('--folder'),
  }
}

/** Also in the calendar: not the 30th of February. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}
