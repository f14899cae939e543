/** A name as it is looked for: its words, and how it is written in one. */
export type SoughtName = {
  /** As it was asked, spaces put in order. */
  readonly shown: string
  readonly words: readonly string[]
  readonly joined: string
}

/** Letters and digits of any script; accents do not tell two names apart. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Null where there is nothing in it to look for. */
export function readName(text: string): SoughtName | null {
  const words = wordsOf(text)
  if (words.length === 0) return null
  return { shown: text.trim().replaceAll(/\s+/g, ' '), words, joined: words.join('') }
}

/**
 * Where the words of a name stand in a row in a text, spelled apart, joined, or with signs between: the number of words
 * before it; -1 where they do not.
 */
export function placeOf({ joined }: SoughtName, text: readonly string[]): number {
  for (let at = 0; at < text.length; at++) {
    let run = ''
    for (let end = at; end < text.length && run.length < joined.length; end++) {
      run += text[end]!
      if (run === joined) return at
      if (!joined.startsWith(run)) break
    }
  }
  return -1
}

/** All words are there in some order, or the beginning of a longer one is. */
export const hasLoosely = ({ words, joined }: SoughtName, text: readonly string[]): boolean =>
  words.every((word) => text.some((other) => other === word || (word.length >= 4 && other.startsWith(word)))) ||
  (joined.length >= 5 && text.some((other) => other.includes(joined)))
