import type { MissingColumn, Refusal } from './auction-house.ts'

const MAX_EXAMPLES = 3
const MAX_EXAMPLE_LENGTH = 60
/** Redact before shortening: half a key is still half a key. */
const MAX_QUOTED_LENGTH = 4096

/** Counts refused records by reason, and keeps the first few of each as examples. */
export function createRefusals(secrets: readonly string[]) {
  const reasons: Record<string, number> = {}
  const examples: Record<string, string[]> = {}
  return {
    reasons,
    examples,
    add({ refused: why, value, domain }: Refusal): void {
      reasons[why] = (reasons[why] ?? 0) + 1
      const shown = (examples[why] ??= [])
      if (shown.length >= MAX_EXAMPLES) return
      shown.push(`${domain === undefined ? '' : `${domain}: `}${quoteValue(value, secrets)}`)
    },
    /** The most frequent reason with an example, to end a sentence. */
    main(): string {
      const [why] = Object.keys(reasons).toSorted((a, b) => reasons[b]! - reasons[a]!)
      return why === undefined ? 'no reason' : `${why} (${examples[why]![0]})`
    },
  }
}

/** A value of a feed as it may be shown to the operator: short, on one line, without keys. */
export function quoteValue(value: unknown, secrets: readonly string[]): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value)
  const clean = redact(text.slice(0, MAX_QUOTED_LENGTH), secrets).replace(/\p{C}/gu, '\uFFFD')
  return `"${clean.length > MAX_EXAMPLE_LENGTH ? `${clean.slice(0, MAX_EXAMPLE_LENGTH)}…` : clean}"`
}

const redact = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)

/** The required ones among missing columns, for a sentence: `column "a"`, `columns "a" and "b"`. Null if none is required. */
export function requiredColumns(missing: readonly MissingColumn[]): string | null {
  const names = missing.filter(({ isRequired }) => isRequired).map(({ column }) => `"${column}"`)
  if (names.length === 0) return null
  return names.length === 1 ? `column ${names[0]}` : `columns ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
