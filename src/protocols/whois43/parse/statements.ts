import type { AskedName } from './asked-name.ts'
import type { Line } from './lines.ts'

/**
 * A line as it is compared with known wording: lower case, words only, the domain asked for written `@` and any other
 * domain `~`. `No match for "EXAMPLE.COM".` becomes `no match for @`, or `no match for ~` if another was asked for.
 */
export type Statement = {
  readonly words: string
  /** With the domain's label alone written `@` too: `No match for example` becomes `no match for @`. */
  readonly labelled: string
  /** As the server wrote it. */
  readonly said: string
  /** It goes on from a sentence begun in the line before: part of a longer text, not a statement of its own. */
  readonly goesOn: boolean
}

const MAX_STATEMENT_LENGTH = 240
const MAX_STATEMENTS = 400

/** The statements of an answer: each line by itself and with the line below it, short ones only. */
export function readStatements(lines: readonly Line[], asked: AskedName): Statement[] {
  const statements: Statement[] = []
  let before: Line | undefined
  let last: Statement | undefined
  for (const line of lines) {
    if (line.text === '' || line.text.length > MAX_STATEMENT_LENGTH) {
      // A gap between two lines does not matter to a statement that needs both of them.
      if (line.text !== '') before = last = undefined
      else before = undefined
      continue
    }
    const forms = statementForms(line.text, asked)
    const goesOn = before !== undefined && /[\p{L},-]$/u.test(before.text) && /^\p{Ll}/u.test(line.text)
    const statement = { ...forms, said: line.text, goesOn }
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
  goesOn: first.goesOn,
})

export function statementForms(text: string, asked: AskedName): Pick<Statement, 'words' | 'labelled'> {
  const split = text
    .toLowerCase()
    .normalize('NFC')
    // One server leaves out the blank: `exampleNOT FOUND`.
    .replace(`${asked.label}not found`, `${asked.label} not found`)
    .split(/[\s"'`“”«»()[\]<>{},;:!?*=]+/u)
    .map((word) => word.replace(/^[.\-–—#%/]+|[.\-–—/]+$/g, ''))
    .filter((word) => word !== '')
    .map((word) => (asked.isWhole(word) ? '@' : isDomain(word) ? '~' : word))
  return { words: split.join(' '), labelled: split.map((word) => (asked.is(word) ? '@' : word)).join(' ') }
}

const isDomain = (word: string): boolean =>
  word.includes('.') && /^[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,4}\.\p{L}[\p{L}\p{N}-]{1,62}$/u.test(word)
