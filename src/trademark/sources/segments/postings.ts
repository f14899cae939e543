import type { Sections } from './file.ts'
import { createNumbers } from './numbers.ts'
import { openStrings, packStrings } from './strings.ts'

/** Which documents have a word. The documents are given in their order, each with its different words. */
export function packPostings(name: string, documents: Iterable<readonly string[]>): Sections {
  const lists = new Map<string, ReturnType<typeof createNumbers> | number>()
  let number = 0
  for (const words of documents) {
    for (const word of words) {
      const list = lists.get(word)
      // Most words are in one document: those need no list.
      if (list === undefined) lists.set(word, number)
      else if (typeof list === 'number') {
        const longer = createNumbers()
        longer.push(list)
        longer.push(number)
        lists.set(word, longer)
      } else list.push(number)
    }
    number++
  }
  // All keys are ASCII, for which this is the order of the bytes.
  const words = [...lists.keys()].sort()
  const ends = new Uint32Array(words.length)
  const all = createNumbers()
  let end = 0
  for (const [at, word] of words.entries()) {
    const list = lists.get(word)!
    if (typeof list === 'number') {
      all.push(list)
      end++
    } else
      for (const one of list.done()) {
        all.push(one)
        end++
      }
    ends[at] = end
  }
  return { ...packStrings(`${name}.words`, words), [`${name}.list-ends`]: ends, [`${name}.lists`]: all.done() }
}

const NONE = new Uint32Array(0)

export function openPostings(name: string, sections: Sections) {
  const words = openStrings(`${name}.words`, sections)
  const ends = sections[`${name}.list-ends`] as Uint32Array
  const lists = sections[`${name}.lists`] as Uint32Array
  return {
    wordAt: words.at,
    /** In rising order; empty where nothing has the word. */
    of(word: string): Uint32Array {
      const at = words.find(word)
      return at < 0 ? NONE : lists.subarray(at === 0 ? 0 : ends[at - 1]!, ends[at])
    },
    words: words.length,
  }
}
