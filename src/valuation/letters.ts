import { AT } from './feature-names.ts'
import { letterSet, VOWELS } from './label.ts'
import type { Sight } from './sight.ts'

const RARE_LETTERS = letterSet('jqvwxz')

/** Only for names up to this length the pattern of vowels and consonants is a feature. */
const MAX_SHAPE_LENGTH = 5

/** Writes the sound and the ending of a name that is read by its words. */
export function writeSound({ parts: { letters, letterCount }, spelling }: Sight, row: Float64Array): void {
  countLetters(letters, letterCount)
  row[AT.spelling] = spelling.mean
  row[AT.worstSpelling] = spelling.worst
  row[AT.vowelShare] = letterCount === 0 ? 0 : counted.vowels / letterCount
  row[AT.consonantRun] = counted.longestConsonants
  row[AT.shape] = letterCount <= MAX_SHAPE_LENGTH ? counted.shape : -1
  row[AT.rareLetters] = counted.rare
  row[AT.distinctLetters] = counted.distinct
  row[AT.ending] = endingOf(letters, letterCount)
}

/** Writes the features of a name that is read by its letters. */
export function writeLetters({ parts: { letters, letterCount }, spelling }: Sight, row: Float64Array): void {
  countLetters(letters, letterCount)
  row[AT.lettersOnly] = 1
  row[AT.insideSpelling] = spelling.inside.sum
  row[AT.worstInside] = spelling.inside.worst
  row[AT.hardLetters] = spelling.inside.hard
  row[AT.pairSpelling] = spelling.inside.pairs
  row[AT.worstPair] = spelling.inside.worstPair
  row[AT.vowels] = counted.vowels
  row[AT.consonants] = letterCount - counted.vowels
  row[AT.longestVowels] = counted.longestVowels
  row[AT.longestConsonants] = counted.longestConsonants
  row[AT.rareLettersAlone] = counted.rare
  row[AT.distinctLettersAlone] = counted.distinct
}

/** The result of the last `countLetters`; one object is reused to avoid allocation. */
const counted = { vowels: 0, longestVowels: 0, longestConsonants: 0, rare: 0, distinct: 0, shape: 0 }

function countLetters(letters: Uint8Array, count: number): void {
  let vowels = 0
  let vowelRun = 0
  let consonantRun = 0
  let rare = 0
  let used = 0
  let shape = 0
  counted.longestVowels = counted.longestConsonants = 0
  for (let at = 0; at < count; at++) {
    const letter = letters[at]!
    const isVowel = VOWELS[letter]!
    vowels += isVowel
    vowelRun = isVowel === 1 ? vowelRun + 1 : 0
    consonantRun = isVowel === 1 ? 0 : consonantRun + 1
    if (vowelRun > counted.longestVowels) counted.longestVowels = vowelRun
    if (consonantRun > counted.longestConsonants) counted.longestConsonants = consonantRun
    rare += RARE_LETTERS[letter]!
    used |= 1 << letter
    shape = (shape << 1) | isVowel
  }
  counted.vowels = vowels
  counted.rare = rare
  counted.distinct = countBits(used)
  counted.shape = shape
}

/** The ending as a number: s 1, ing 2, er 3, ly 4, ify 5, o 6, a 7, y 8; 0 for any other ending or fewer than four letters. */
function endingOf(letters: Uint8Array, count: number): number {
  if (count < 4) return 0
  const last = letters[count - 1]!
  const before = letters[count - 2]!
  const third = letters[count - 3]!
  if (last === 18) return 1
  if (last === 6 && before === 13 && third === 8) return 2
  if (last === 17 && before === 4) return 3
  if (last === 24) return before === 11 ? 4 : before === 5 && third === 8 ? 5 : 8
  return last === 14 ? 6 : last === 0 ? 7 : 0
}

function countBits(bits: number): number {
  let left = bits
  let count = 0
  while (left !== 0) {
    left &= left - 1
    count++
  }
  return count
}
