/**
 * The phrases of parked pages in one language. A rule looks for two of them near each other (“this domain” and “for
 * sale”), so it matches sentences that are not listed. Compared in lower case without diacritics; a star at the end
 * matches any ending.
 */
export type Vocabulary = {
  /** Refers to the visited domain: “this domain”. */
  readonly name: readonly string[]
  /** Any domain; counts only right beside another phrase: “domain for sale”. */
  readonly kind: readonly string[]
  readonly sale: readonly string[]
  /** Calls to action for a buyer. */
  readonly buy: readonly string[]
  readonly parked: readonly string[]
  /** Registered, reserved, or without a site. */
  readonly registered: readonly string[]
  /** Expired, suspended, or pending renewal. */
  readonly ended: readonly string[]
  /** Headings over paid links. */
  readonly ads: readonly string[]
}

export const splitPhrases = (words: string) => words.split('|').map((word) => word.trim())

/** Phrases separated by `|`, one line for each kind. */
export const vocabulary = (words: Record<keyof Vocabulary, string>): Vocabulary => ({
  name: splitPhrases(words.name),
  kind: splitPhrases(words.kind),
  sale: splitPhrases(words.sale),
  buy: splitPhrases(words.buy),
  parked: splitPhrases(words.parked),
  registered: splitPhrases(words.registered),
  ended: splitPhrases(words.ended),
  ads: splitPhrases(words.ads),
})
