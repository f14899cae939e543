/** Latin letters that Unicode does not decompose into a base letter and a diacritic. */
const FOLDED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
}
const FOLDABLE = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')

/** The words of a text, normalized for comparison: lower-case Latin letters and digits, no accents. */
export function tokenize(text: string): string[] {
  const plain = isAscii(text) ? text.toLowerCase() : fold(text)
  const tokens: string[] = []
  let token = ''
  let from = -1
  for (let at = 0; at <= plain.length; at++) {
    const unit = at < plain.length ? plain.charCodeAt(at) : 0
    if ((unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57)) {
      if (from < 0) from = at
      continue
    }
    if (from >= 0) {
      token = token === '' ? plain.slice(from, at) : token + plain.slice(from, at)
      from = -1
    }
    // MOM'S is one word, MOMS: both spellings are common.
    if (unit === 39 && token !== '') continue
    if (token !== '') tokens.push(token)
    token = ''
  }
  return tokens
}

/** The words of a text without spaces. Texts with equal squashes are the same mark. */
export const squashOf = (text: string): string => tokenize(text).join('')

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false
  return true
}

function fold(text: string): string {
  return (
    text
      // These signs are not part of the mark, and NFKD would turn some of them into letters.
      .replace(/[™℠®©]/g, ' ')
      .normalize('NFKD')
      .toLowerCase()
      .replace(/\p{M}+/gu, '')
      .replace(/[‘’ʼ＇]/g, "'")
      .replace(FOLDABLE, (letter) => FOLDED[letter]!)
  )
}

/** Groups of words that are pronounced the same, separated by `|`; abbreviations are read out. */
const HOMOPHONE_GROUPS = `
  0 zero|1 one won|2 two to too|3 three|4 four for fore|5 five|6 six|7 seven|8 eight ate|9 nine|10 ten
  11 eleven|12 twelve|13 thirteen|14 fourteen|15 fifteen|16 sixteen|17 seventeen|18 eighteen|19 nineteen|20 twenty
  30 thirty|40 forty|50 fifty|60 sixty|70 seventy|80 eighty|90 ninety|100 hundred|1000 thousand
  1st first|2nd second|3rd third|4th fourth forth|5th fifth|7th seventh|10th tenth
  b be bee|c see sea|g gee|i eye|j jay|k kay|n and|o oh|p pea|q cue queue|r are|t tea|u you|y why|x ex
  thru through|lite light|nite night|brite bright|kwik quick quik|nu new|lo low|hi high|tru true|ez easy|shur sure
  lil little|dr doctor|mr mister|st saint|mt mount|ft fort|jr junior|sr senior|bros brothers|co company`
const HOMOPHONES = new Map<string, readonly string[]>()
for (const line of HOMOPHONE_GROUPS.split(/[|\n]/)) {
  const words = line.split(' ').filter((word) => word !== '')
  for (const word of words)
    HOMOPHONES.set(
      word,
      words.filter((other) => other !== word),
    )
}
const NONE: readonly string[] = []

/** The other words that are pronounced like this one: `two`, `to` and `too` for `2`. */
export const homophonesOf = (token: string): readonly string[] => HOMOPHONES.get(token) ?? NONE

/** How a digit is pronounced inside a word: gr8, 4ever, 1derful. */
export const SPOKEN_DIGITS = ['o', 'one', 'to', 'three', 'for', 'five', 'six', 'seven', 'ate', 'nine'] as const

const IRREGULAR = new Map<string, string>()
for (const pair of 'man men|woman women|child children|foot feet|tooth teeth|mouse mice|goose geese|person people'.split(
  '|',
)) {
  const [one, many] = pair.split(' ') as [string, string]
  IRREGULAR.set(one, many).set(many, one)
}

/** Plurals of a singular and singulars of a plural, by rules of spelling; never the token itself. */
export function pluralOrSingularOf(token: string): readonly string[] {
  const length = token.length
  if (length < 3 || !/[a-z]$/.test(token)) return NONE
  const irregular = IRREGULAR.get(token)
  if (irregular !== undefined) return [irregular]
  const forms: string[] = []
  const cut = (letters: number, ending = '') => {
    if (length - letters >= 2) forms.push(token.slice(0, length - letters) + ending)
  }
  if (token.endsWith('ies')) cut(3, 'y')
  if (token.endsWith('ves')) {
    cut(3, 'f')
    cut(3, 'fe')
  }
  if (/(?:s|x|z|ch|sh|o)es$/.test(token)) cut(2)
  if (token.endsWith('s') && !/(?:ss|us|is)$/.test(token)) {
    cut(1)
    return forms
  }
  if (/(?:s|x|z|ch|sh)$/.test(token)) cut(0, 'es')
  else if (/[^aeiou]y$/.test(token)) cut(1, 'ies')
  else {
    cut(0, 's')
    if (token.endsWith('o')) cut(0, 'es')
    if (token.endsWith('f')) cut(1, 'ves')
    if (token.endsWith('fe')) cut(2, 'ves')
  }
  return forms
}

/** All words that `pluralOrSingularOf` relates to the token, in either direction. */
export function allPluralsAndSingularsOf(token: string): readonly string[] {
  const cut = (letters: number, ending: string) => token.slice(0, Math.max(0, token.length - letters)) + ending
  const longer = [cut(0, 's'), cut(0, 'es'), cut(1, 'ies'), cut(1, 'ves'), cut(2, 'ves')]
  const shorter = [cut(1, ''), cut(2, ''), cut(3, 'y'), cut(3, 'f'), cut(3, 'fe')]
  return [
    ...pluralOrSingularOf(token),
    ...longer.concat(shorter).filter((other) => pluralOrSingularOf(other).includes(token)),
  ]
}
