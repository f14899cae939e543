/**
 * The words parked pages are made of, by language. They are parts, not sentences: a rule asks for two of them near each
 * other (“this domain” and “for sale”), so that it knows sentences it has never seen. All are compared without marks on
 * letters and in lower case; a star at the end stands for any ending.
 */
export type Vocabulary = {
  /** The name itself, pointed at: “this domain”. */
  readonly name: readonly string[]
  /** A domain, where it stands right beside `sale`: “domain for sale”. */
  readonly kind: readonly string[]
  readonly sale: readonly string[]
  /** What a buyer is asked to do with the name. */
  readonly buy: readonly string[]
  readonly parked: readonly string[]
  /** Registered somewhere, reserved, new, without a site. */
  readonly registered: readonly string[]
  /** Run out, suspended, waiting for renewal. */
  readonly ended: readonly string[]
  /** Headings over paid links. */
  readonly ads: readonly string[]
}

export const list = (words: string) => words.split('|').map((word) => word.trim())

/** One line a kind keeps a language readable at a glance. */
export const vocabulary = (words: Record<keyof Vocabulary, string>): Vocabulary => ({
  name: list(words.name),
  kind: list(words.kind),
  sale: list(words.sale),
  buy: list(words.buy),
  parked: list(words.parked),
  registered: list(words.registered),
  ended: list(words.ended),
  ads: list(words.ads),
})
