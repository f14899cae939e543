import { codesOf } from '../../phonetic.ts'
import { jaroWinkler, osaDistance } from '../../scoring.ts'
import { numberWordsOf, stemsOf } from '../../text.ts'
import type { Store } from './store.ts'
import { deletionsOf, piecesNear, SHORTEST_CODE } from './words.ts'

type Vocabulary = Pick<Store, 'frequency' | 'wordsByForm' | 'wordsByCode'>

/** So many words of the register may stand for one word of the question. */
const MOST = 48
const MOST_DEEP = 96
/** Codes that very many words have in common say little: so many of them are looked at. */
const MOST_ALIKE = 3000
/** Words that sound alike must still be spelled somewhat alike. */
const LEAST_LIKENESS = 0.55

/**
 * Words of the register that may stand for this one, the likest first: itself, its plural or singular, its number, what
 * is a slip away, what sounds the same. The deep search looks two slips far.
 */
export function expand(word: string, vocabulary: Vocabulary, isDeep: boolean): string[] {
  const likeness = new Map<string, number>()
  const put = (other: string, value: number) => {
    if (value > (likeness.get(other) ?? 0)) likeness.set(other, value)
  }
  put(word, 1)
  for (const other of stemsOf(word)) put(other, 0.97)
  for (const other of numberWordsOf(word)) put(other, 0.95)
  for (const other of slipsOf(word, vocabulary, isDeep)) {
    const distance = osaDistance(word, other)
    if (distance <= (word.length < 5 ? 1 : 2)) put(other, 1 - distance / Math.max(word.length, other.length))
  }
  for (const code of new Set(codesOf(word))) {
    if (code.length < SHORTEST_CODE) continue
    for (const other of vocabulary.wordsByCode(code).slice(0, MOST_ALIKE)) {
      const value = 0.45 + 0.5 * jaroWinkler(word, other)
      if (value >= LEAST_LIKENESS + 0.2) put(other, value)
    }
  }
  return [...likeness]
    .map(([other, value]) => ({ other, value, frequency: vocabulary.frequency(other) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => b.value - a.value || b.frequency - a.frequency || (a.other < b.other ? -1 : 1))
    .slice(0, isDeep ? MOST_DEEP : MOST)
    .map(({ other }) => other)
}

function slipsOf(word: string, vocabulary: Vocabulary, isDeep: boolean): Set<string> {
  const found = new Set<string>()
  if (word.length < 3) return found
  for (const form of [word, ...deletionsOf(word), ...(isDeep ? piecesNear(word) : [])])
    for (const other of vocabulary.wordsByForm(form)) found.add(other)
  return found
}
