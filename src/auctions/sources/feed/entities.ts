const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  pound: '£',
}
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi
/** An unfinished reference at the end of a chunk: wait for the rest of it. */
const UNFINISHED = /&(?:#?[0-9a-z]{0,8})?$/i
/** Stands for a character that would end a field or a line; no value contains it. */
const REPLACEMENT = '\uFFFD'

/**
 * Decodes HTML character references in chunks of text that may end anywhere. A reference to a delimiter, a quote or a
 * control character must not change how the line is split, and becomes U+FFFD. Unknown names stay as they are.
 */
export function entityDecoder(delimiter: string) {
  let rest = ''
  const toCharacter = (whole: string, decimal?: string, hex?: string, name?: string): string => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? parseInt(hex!, 16) : Number(decimal)
    if (code > 0x10_ffff || (code >= 0xd800 && code <= 0xdfff)) return REPLACEMENT
    const character = String.fromCodePoint(code)
    return character === delimiter || character === '"' || /\p{Cc}/u.test(character) ? REPLACEMENT : character
  }
  return {
    push(text: string): string {
      const all = rest + text
      const cut = UNFINISHED.exec(all)?.index ?? all.length
      rest = all.slice(cut)
      return all.slice(0, cut).replace(REFERENCE, toCharacter)
    },
    /** What was held back. */
    end(): string {
      const last = rest
      rest = ''
      return last
    },
  }
}
