import { domainToUnicode } from 'node:url'

/**
 * The parts of a label: its letters without hyphens, digits and accents, and counts of everything else. Hyphens and digits
 * do not change the letters, so they cannot improve any feature derived from them. Their harm is measured by `breaks` and
 * `changes` (see clarity.ts).
 */
export type LabelParts = {
  /** Letters a to z as 0 to 25. */
  readonly letters: Uint8Array
  letterCount: number
  /** Number of letters of other scripts. */
  foreign: number
  digits: number
  hyphens: number
  /** 1 for each letter with a hyphen or a digit between it and the letter before it. */
  readonly breaks: Uint8Array
  /** Number of changes between letters and digits, ignoring hyphens: 2 in `b2b`, 7 in `x7k9q2m4`. */
  changes: number
  /** In characters; an internationalized label is counted in its own script, not in Punycode. */
  length: number
  isIdn: boolean
}

export const MAX_LABEL_LENGTH = 63

export const emptyParts = (): LabelParts => ({
  letters: new Uint8Array(MAX_LABEL_LENGTH),
  letterCount: 0,
  foreign: 0,
  digits: 0,
  hyphens: 0,
  breaks: new Uint8Array(MAX_LABEL_LENGTH),
  changes: 0,
  length: 0,
  isIdn: false,
})

/** Writes into `parts`, which is reused for every label to avoid allocation. */
export function parseLabel(label: string, parts: LabelParts): void {
  parts.letterCount = parts.foreign = parts.digits = parts.hyphens = parts.changes = 0
  parts.isIdn = label.startsWith('xn--')
  const readable = parts.isIdn ? plainLetters(label) : label
  let length = 0
  let isAfterDigit = false
  let isAfterBreak = false
  for (let at = 0; at < readable.length && length < MAX_LABEL_LENGTH; at++) {
    const code = readable.charCodeAt(at)
    length++
    if (code === 45) {
      parts.hyphens++
      isAfterBreak = true
      continue
    }
    const isDigit = code >= 48 && code <= 57
    if (isDigit !== isAfterDigit && length > parts.hyphens + 1) parts.changes++
    isAfterDigit = isDigit
    if (isDigit) {
      parts.digits++
      isAfterBreak = true
      continue
    }
    const letter = code >= 97 && code <= 122 ? code - 97 : code >= 65 && code <= 90 ? code - 65 : -1
    if (letter < 0) parts.foreign++
    else {
      parts.breaks[parts.letterCount] = isAfterBreak && parts.letterCount > 0 ? 1 : 0
      parts.letters[parts.letterCount++] = letter
      isAfterBreak = false
    }
  }
  parts.length = length
}

/** `xn--caf-dma` → `cafe`. Invalid Punycode stays as it is. */
function plainLetters(label: string): string {
  const readable = domainToUnicode(label) || label.slice(4)
  return readable.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()
}

/** The letters as text. */
export function lettersOf({ letters, letterCount }: LabelParts): string {
  let text = ''
  for (let at = 0; at < letterCount; at++) text += String.fromCharCode(letters[at]! + 97)
  return text
}

/** A table of the alphabet with 1 for each of these letters. */
export function letterSet(text: string): Uint8Array {
  const set = new Uint8Array(26)
  for (const letter of text) set[letter.charCodeAt(0) - 97] = 1
  return set
}

export const VOWELS = letterSet('aeiouy')
