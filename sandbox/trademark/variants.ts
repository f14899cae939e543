import type { Random } from '../../src/kernel/random.ts'

export type VariantKind = 'typo' | 'two typos' | 'respelled' | 'joined' | 'split' | 'plural' | 'reordered'

/** A text somebody may type who means, or imitates, a mark. */
export type Variant = { readonly kind: VariantKind; readonly text: string }

const KINDS: readonly VariantKind[] = ['typo', 'two typos', 'respelled', 'joined', 'split', 'plural', 'reordered']

/** Letters that sound alike, either way. */
const SOUNDS: readonly (readonly [string, string])[] = [
  ['PH', 'F'],
  ['CK', 'K'],
  ['QU', 'KW'],
  ['EE', 'EA'],
  ['OO', 'U'],
  ['X', 'KS'],
  ['C', 'K'],
  ['S', 'Z'],
  ['Y', 'I'],
  ['AI', 'AY'],
]

/** A variant of one of the kinds, or null where the mark has none of it: a single word cannot be joined. */
export function variantOf(mark: string, random: Random): Variant | null {
  const kind = KINDS[random.below(KINDS.length)]!
  const text = make(kind, mark, random)
  return text === null || text === mark ? null : { kind, text }
}

function make(kind: VariantKind, mark: string, random: Random): string | null {
  const words = mark.split(' ')
  const longest = words.reduce((best, word, place) => (word.length > words[best]!.length ? place : best), 0)
  const word = words[longest]!
  const changed = (replacement: string) => words.with(longest, replacement).join(' ')
  switch (kind) {
    case 'typo':
      return word.length < 5 ? null : changed(mistyped(word, random))
    case 'two typos':
      return word.length < 7 ? null : changed(mistyped(mistyped(word, random), random))
    case 'respelled': {
      const fitting = SOUNDS.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]).filter(([from]) =>
        word.includes(from),
      )
      const chosen = fitting[random.below(Math.max(1, fitting.length))]
      return word.length < 4 || !chosen ? null : changed(word.replace(chosen[0], chosen[1]))
    }
    case 'joined':
      return words.length < 2 || words.length > 3 ? null : words.join('')
    case 'split':
      return words.length > 1 || word.length < 7
        ? null
        : `${word.slice(0, word.length >> 1)} ${word.slice(word.length >> 1)}`
    case 'plural':
      return word.length < 4 || !/[A-RT-Z]$/.test(word) ? null : changed(`${word}S`)
    case 'reordered':
      return words.length < 2 ? null : [...words.slice(1), words[0]!].join(' ')
  }
}

/** One slip: a letter left out, doubled, put wrong, or changed places with its neighbour. The first letter is right. */
function mistyped(word: string, random: Random): string {
  const place = 1 + random.below(word.length - 2)
  const before = word.slice(0, place)
  const letter = word[place]!
  const after = word.slice(place + 1)
  switch (random.below(4)) {
    case 0:
      return before + after
    case 1:
      return before + letter + letter + after
    case 2:
      return before + String.fromCharCode(65 + random.below(26)) + after
    default:
      return before + after.slice(0, 1) + letter + after.slice(1)
  }
}
