/**
 * Builds data/words.json from a frequency list and a dictionary, both JSON arrays of words. data/PROVENANCE.md names their
 * sources.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const USAGE = 'usage: node scripts/build-words.ts FREQUENCY.json DICTIONARY.json [TARGET.json]'

/** Ranks by frequency: up to the first every word is included, up to the second only dictionary words. */
const MAX_RANK = 30_000
const MAX_DICTIONARY_RANK = 105_000
const MAX_WORD_LENGTH = 20
/** Two-letter words that people read as words; the frequency list has many others that are only codes. */
const TWO_LETTERS = new Set(
  'of in is to it as he on by or be an at if up so do no we go us my me re am tv uk ad ex hi ok pc ai id la le el de eu ma pa dj vr ar hr pr'.split(
    ' ',
  ),
)
/** Remains of the markup of the pages that the frequency list was counted on. */
const MARKUP = new Set(
  'rowspan colspan bgcolor ifeq ifexpr referer https http www cellpadding cellspacing nbsp px jsl utc valign href'.split(
    ' ',
  ),
)

export function chooseWords(byFrequency: readonly string[], dictionary: ReadonlySet<string>): string {
  const chosen = byFrequency.filter((word, rank) => {
    if (!/^[a-z]+$/.test(word) || word.length > MAX_WORD_LENGTH || MARKUP.has(word)) return false
    if (word.length === 1) return word === 'a' || word === 'i'
    if (word.length === 2) return TWO_LETTERS.has(word)
    return rank < MAX_RANK || (rank < MAX_DICTIONARY_RANK && word.length > 3 && dictionary.has(word))
  })
  return chosen.map((word) => (dictionary.has(word) ? word : word[0]!.toUpperCase() + word.slice(1))).join(' ')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [frequency, dictionary, target = fileURLToPath(new URL('../data/words.json', import.meta.url))] =
    process.argv.slice(2)
  if (frequency === undefined || dictionary === undefined) {
    console.log(USAGE)
    process.exitCode = 1
  } else {
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as string[]
    const letters = chooseWords(await read(frequency), new Set(await read(dictionary)))
    const source = 'wordsninja 1.1.0 (frequency order), an-array-of-english-words 2.0.0 (dictionary); see PROVENANCE.md'
    await writeFile(target, `${JSON.stringify({ source, letters })}\n`)
  }
}
