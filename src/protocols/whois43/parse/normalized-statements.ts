import type { AskedName } from './asked-name.ts'
import type { Line } from './lines.ts'

/**
 * A line normalized for matching known wording: lower case, words only, `@` for the queried domain and `~` for any
 * other. `No match for "EXAMPLE.COM".` becomes `no match for @`, or `no match for ~` if another domain was queried.
 */
export type Statement = {
  readonly words: string
  /** Like `words`, with `@` also for the label alone: `No match for example` becomes `no match for @`. */
  readonly labelled: string
  /** The original text. */
  readonly said: string
  /** Continues a sentence of the previous line, so it is not a statement of its own. */
  readonly isContinuation: boolean
}

const MAX_STATEMENT_LENGTH = 240
const MAX_STATEMENTS = 400

/** The statements of an answer: each short line alone, and joined with the next line. */
export function extractStatements(lines: readonly Line[], asked: AskedName): Statement[] {
  const statements: Statement[] = []
  let before: Line | undefined
  let last: Statement | undefined
  for (const line of lines) {
    if (line.text === '' || line.text.length > MAX_STATEMENT_LENGTH) {
      // A statement may span two lines with a blank line between them.
      if (line.text !== '') before = last = undefined
      else before = undefined
      continue
    }
    const forms = normalizeStatement(line.text, asked)
    const isContinuation = before !== undefined && /[\p{L},-]$/u.test(before.text) && /^\p{Ll}/u.test(line.text)
    const statement = { ...forms, said: line.text, isContinuation }
    statements.push(statement)
    if (last) statements.push(joined(last, statement))
    before = line
    last = statement
    if (statements.length > MAX_STATEMENTS) break
  }
  return statements
}

const joined = (first: Statement, second: Statement): Statement => ({
  words: `${first.words} ${second.words}`,
  labelled: `${first.labelled} ${second.labelled}`,
  said: `${first.said} ${second.said}`,
  isContinuation: first.isContinuation,
})

export function normalizeStatement(text: string, asked: AskedName): Pick<Statement, 'words' | 'labelled'> {
  const split = text
    .toLowerCase()
    .normalize('NFC')
    // One server omits the space: `exampleNOT FOUND`.
    .replace(`${asked.label}not found`, `${asked.label} not found`)
    .split(/[\s"'`“”«»()[\]<>{},;:!?*=]+/u)
    .map((word) => word.replace(/^[.\-–—#%/]+|[.\-–—/]+$/g, ''))
    .filter((word) => word !== '')
    .map((word) => (asked.isWhole(word) ? '@' : isDomain(word) ? '~' : word))
  return { words: split.join(' '), labelled: split.map((word) => (asked.is(word) ? '@' : word)).join(' ') }
}

const isDomain = (word: string): boolean =>
  word.includes('.') && /^[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,4}\.\p{L}[\p{L}\p{N}-]{1,62}$/u.test(word)
