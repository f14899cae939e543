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
  /** The words of the label, and the trade they belong to. */
  readonly words: readonly string[]
  readonly category: string | null
}

/** What is looked for. */
export type Likeness = Pick<Sale, 'label' | 'tld' | 'words' | 'category'>

/** Sales that are known to us. */
export type SalesBook = {
  /** Those that have a word, a trade, or a length and TLD in common with the name: a few hundred at most. */
  like(name: Likeness): readonly Sale[]
  close(): void
}
