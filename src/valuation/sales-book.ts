/** One published sale. */
export type Sale = {
  readonly domain: string
  readonly label: string
  readonly tld: string
  /** Whole US dollars. */
  readonly price: number
  /** YYYY-MM-DD. */
  readonly date: string
  /** Who published it. */
  readonly source: string
  /** The words of the label, and their category. */
  readonly words: readonly string[]
  readonly category: string | null
}

/** The properties by which names are compared. */
export type Likeness = Pick<Sale, 'label' | 'tld' | 'words' | 'category'>

/** The known sales. */
export type SalesBook = {
  /** Sales that share a word, a category, or length and TLD with the name: a few hundred at most. */
  like(name: Likeness): readonly Sale[]
  /** Why imported sales could not be used the last time, as the end of a sentence; null if they could. */
  problem(): string | null
  close(): void
}
