/**
 * Wording is written one pattern to a line, in the form of `Statement.words`: lower case, no punctuation, `@` for any
 * domain name. No pattern repeats what itself repeats, so that each is matched in time proportional to the statement.
 */
const lines = (patterns: string): string[] =>
  patterns
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))

/** Matches a statement that is, from its first to its last word, one of these. */
export const whole = (patterns: string, before = ''): RegExp =>
  new RegExp(`^${before}(?:${lines(patterns).join('|')})$`, 'u')

/** Matches a statement that has one of these in it. */
export const within = (patterns: string): RegExp => new RegExp(lines(patterns).join('|'), 'u')
