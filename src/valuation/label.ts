import { domainToUnicode } from 'node:url'

/**
 * A label taken apart: its letters alone (hyphens and digits out, accents off), and how much of the rest there is. All
 * that is read from the letters is the same with and without a hyphen or a digit, so neither can ever improve a name.
 */
export type LabelParts = {
  /** Letters a to z as 0 to 25. */
  readonly letters: Uint8Array
  letterCount: number
  /** Letters of other scripts. */
  foreign: number
  digits: number
  hyphens: number
  /** As a reader counts: an internationalised name in its own script. */
  length: number
  isIdn: boolean
}

export const LONGEST_LABEL = 63

export const emptyParts = (): LabelParts => ({
  letters: new Uint8Array(LONGEST_LABEL),
  letterCount: 0,
  foreign: 0,
  digits: 0,
  hyphens: 0,
  length: 0,
  isIdn: false,
})

/** Fills `parts`, which is used again for every name: no garbage on the way. */
export function takeApart(label: string, parts: LabelParts): void {
  parts.letterCount = parts.foreign = parts.digits = parts.hyphens = 0
  parts.isIdn = label.startsWith('xn--')
  const readable = parts.isIdn ? plainLetters(label) : label
  let length = 0
  for (let at = 0; at < readable.length && length < LONGEST_LABEL; at++) {
    const code = readable.charCodeAt(at)
    length++
    if (code >= 97 && code <= 122) parts.letters[parts.letterCount++] = code - 97
    else if (code >= 65 && code <= 90) parts.letters[parts.letterCount++] = code - 65
    else if (code >= 48 && code <= 57) parts.digits++
    else if (code === 45) parts.hyphens++
    else parts.foreign++
  }
  parts.length = length
}

/** `xn--caf-dma` → `cafe`; what does not decode is taken as it stands. */
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
