/**
 * One pattern per line, in the form of `Statement.words`: lower case, no punctuation, `@` for the queried domain. No
 * nested quantifiers, so that matching takes linear time.
 */
const lines = (patterns: string): string[] =>
  patterns
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))

/** Matches a statement that equals one of these patterns. */
export const matchWhole = (patterns: string, before = ''): RegExp =>
  new RegExp(`^${before}(?:${lines(patterns).join('|')})$`, 'u')

/** Matches a statement that contains one of these patterns. */
export const matchAnywhere = (patterns: string): RegExp => new RegExp(lines(patterns).join('|'), 'u')
