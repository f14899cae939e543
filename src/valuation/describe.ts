import { categoryOf } from './category.ts'
import { piecesOf } from './factors.ts'
import { createReader, type Name } from './sight.ts'
import type { Likeness } from './sales-book.ts'
import type { Words } from './word-list.ts'

export type Describe = (name: Name) => Likeness

/** Finds the words and the category of a name in the same way as the appraiser. */
export function createDescriber(words: Words): Describe {
  const reader = createReader(words)
  return ({ label, tld }) => {
    const pieces = piecesOf(reader.look(label))
    return { label, tld, words: pieces, category: categoryOf(pieces) }
  }
}
