import type { Line } from './lines.ts'

/**
 * A line as it is compared with known wording: lower case, words only, every domain name written `@`.
 * `No match for "EXAMPLE.COM".` becomes `no match for @`.
 */
export type Statement = {
  readonly words: string
  /** As the server wrote it. */
  readonly said: string
  /** It goes on from a sentence begun in the line before: part of a longer text, not a statement of its own. */
  readonly goesOn: boolean
}

const LONGEST_STATEMENT = 240
const MOST_STATEMENTS = 400

/** The statements of an answer: each line by itself and with the line below it, short ones only. */
export function readStatements(lines: readonly Line[], domain: string): Statement[] {
  const statements: Statement[] = []
  let before: Line | undefined
  let last: Statement | undefined
  for (const line of lines) {
    if (line.text === '' || line.text.length > LONGEST_STATEMENT) {
      // A gap between two lines does not matter to a statement that needs both of them.
      if (line.text !== '') before = last = undefined
      else before = undefined
      continue
    }
    const words = statementWords(line.text, domain)
    const goesOn = before !== undefined && /[\p{L},-]$/u.test(before.text) && /^\p{Ll}/u.test(line.text)
    const statement = { words, said: line.text, goesOn }
    statements.push(statement)
    if (last)
      statements.push({ words: `${last.words} ${words}`, said: `${last.said} ${line.text}`, goesOn: last.goesOn })
    before = line
    last = statement
    if (statements.length > MOST_STATEMENTS) break
  }
  return statements
}

export function statementWords(text: string, domain: string): string {
  const label = domain.slice(0, domain.indexOf('.'))
  return text
    .toLowerCase()
    .normalize('NFC')
    .split(/[\s"'`“”«»()[\]<>{},;:!?*=]+/u)
    .map((word) => word.replace(/^[.\-–—#%/]+|[.\-–—/]+$/g, ''))
    .map((word) => (isName(word, domain) ? '@' : word === label && label.length > 6 ? '@' : word))
    .filter((word) => word !== '')
    .join(' ')
    .replaceAll(`${label}not found`, '@ not found')
}

/** The domain asked for, or anything else that is written like one. */
const isName = (word: string, domain: string): boolean =>
  word === domain ||
  (word.includes('.') && /^[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,4}\.\p{L}[\p{L}\p{N}-]{1,62}$/u.test(word))
