/**
 * Makes untrusted text safe for a terminal: removes escape sequences, control and direction characters. The two joiners
 * stay, because scripts and emoji need them.
 */
export const neutralise = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replaceAll(/[^\P{C}\u200c\u200d]/gu, '\ufffd')

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const PLAIN = /^[\x20-\x7e]*$/
/** Characters that take two terminal columns: East Asian wide and fullwidth characters, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const INVISIBLE = /^[\p{M}\u200c\u200d]+$/u

const graphemeWidth = (grapheme: string): number => (INVISIBLE.test(grapheme) ? 0 : WIDE.test(grapheme) ? 2 : 1)

/** Width of a text in terminal columns. */
export function width(text: string): number {
  if (PLAIN.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += graphemeWidth(segment)
  return columns
}

/** The text if it fits into `columns`, otherwise its start and an ellipsis. */
export function fit(text: string, columns: number): string {
  // Do not measure a text of thousands of characters only to truncate it.
  const head = text.length > columns * 8 ? text.slice(0, columns * 8).toWellFormed() : text
  if (head === text && width(text) <= columns) return text
  let used = 0
  let kept = ''
  for (const { segment } of graphemes.segment(head)) {
    used += graphemeWidth(segment)
    if (used > columns - 1) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

export const padEnd = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - width(text)))
export const padStart = (text: string, columns: number): string => ' '.repeat(Math.max(0, columns - width(text))) + text

/** Wraps words into lines of at most `columns`; paragraphs stay separate. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = ['']
    for (const word of paragraph.split(/ +/)) {
      const line = lines.at(-1)!
      if (line !== '' && width(line) + 1 + width(word) > columns) lines.push(word)
      else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
    }
    return lines
  })
}
