import type { Random } from '../../src/kernel/random.ts'

/** The kinds of page, by the word in the name that selects them, with their share in percent among other names; 0: only by word. */
const KINDS = {
  /** Parked: a page of advertisements. */
  parked: 8,
  /** Parked: the default page of a registrar. */
  registered: 5,
  /** Parked: a first page that only redirects to a second one. */
  lander: 5,
  /** Parked: a page that asks for offers. */
  forsale: 10,
  /** Parked: the placeholder of a hoster before a site is uploaded. */
  placeholder: 0,
  /** Parked: only a frame with the lander of a marketplace. */
  frameset: 0,
  /** Parked: the registration has expired. */
  expired: 2,
  shop: 15,
  blog: 15,
  /** In use, rendered by a script. */
  app: 8,
  /** Announces a new site: not parked. */
  soon: 8,
  /** Redirects to `www`. */
  moved: 8,
  /** The default page of a web server. */
  bare: 6,
  /** News about a sale of something else: not parked. */
  news: 10,
  /** An article about selling domains: not parked. */
  article: 0,
  /** A site in use with a line about a sale in its footer: not parked. */
  hobby: 0,
} as const

export type Kind = keyof typeof KINDS
export const KIND_WORDS = Object.keys(KINDS) as readonly Kind[]

/** `parked` for `parked-harbour` and for `my-parked-harbour`; random without such a word. */
export function kindOf(label: string, chance: Random): Kind {
  const parts = label.split('-')
  const asked = KIND_WORDS.find((word) => parts.includes(word))
  if (asked) return asked
  let left = chance.below(Object.values(KINDS).reduce<number>((sum, share) => sum + share, 0))
  return KIND_WORDS.find((word) => (left -= KINDS[word]) < 0)!
}
