const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  copy: '©',
  reg: '®',
  trade: '™',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  middot: '·',
  bull: '•',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  pound: '£',
  yen: '¥',
  szlig: 'ß',
  aelig: 'æ',
  oslash: 'ø',
  lstrok: 'ł',
  inodot: 'ı',
}

/** Entities such as `&eacute;` are a letter and a mark that is put on it. */
const MARKS: Record<string, string> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030a',
  caron: '\u030c',
  ogon: '\u0328',
  dot: '\u0307',
  breve: '\u0306',
}

/** Decodes HTML entities; unknown ones stay as they are. */
export function readEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,9}));/gi, (entity, decimal, hex, name) => {
    if (decimal !== undefined) return ofCodePoint(Number(decimal))
    if (hex !== undefined) return ofCodePoint(Number.parseInt(hex as string, 16))
    return ofName(name as string) ?? entity
  })
}

function ofName(name: string): string | undefined {
  const lower = name.toLowerCase()
  const plain = Object.hasOwn(NAMED, lower) ? NAMED[lower] : undefined
  if (plain !== undefined) return plain
  const mark = Object.hasOwn(MARKS, lower.slice(1)) ? MARKS[lower.slice(1)] : undefined
  return mark === undefined ? undefined : `${name[0]}${mark}`.normalize('NFC')
}

/** A code that no character has becomes a space: it must not join two words. */
function ofCodePoint(code: number): string {
  const isCharacter = code > 0x1f && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : ' '
}
