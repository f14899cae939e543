/**
 * What each observation is worth, in log-odds. A name starts far on the side of those in use; the sum goes through the
 * logistic function. The values come from the table of a first trial and from judgement; nothing is fitted.
 * `npm run score:parking` shows what a change does to the labelled pages.
 */
export const WEIGHTS = {
  start: -3.2,

  /** Something only pages of a parking service have: its hosts, its key for ad blockers, its variables. */
  serviceScript: 4.6,
  /** A file named as a parking page's. */
  parkingFile: 1.6,

  /** Advertising made for domains alone. */
  domainAds: 3.4,
  /** Headings over paid links, on a page with little else. */
  adHeadings: 2,
  /** Links that all lead to one place with another word each. */
  feedLinks: 1.2,

  /** The visitor was sent to a marketplace, to the page of this very name. */
  soldElsewhere: 4.6,
  /** … or to a marketplace that says nothing of it. */
  marketplace: 1.4,
  /** A marketplace in a frame that is all there is, without a word of the name. */
  marketplaceFrame: 3.6,
  /** A link to the page of this name at a marketplace. */
  saleLink: 2.6,
  saleTitle: 3.9,
  saleHeading: 3.7,
  saleText: 3.5,
  buyText: 3,

  /** From here to a page or a host that only landers have. */
  lander: 3.9,

  telltale: 3.4,
  parkedText: 3.6,
  endedText: 3.4,
  registeredText: 3.4,
  toTheOwner: 1,
  /** A hoster's page that speaks to its customer, or only a phrase of one. */
  hostingDefault: { toTheOwner: 3.6, alone: 1.6 },

  nameserver: { strong: 3.4, medium: 2, weak: 0.5 },
  address: { strong: 2.4, medium: 1.6, weak: 0.4 },

  /** Hardly a word on it. */
  thin: 0.6,
  /** The name is all it has to say. */
  onlyTheName: 0.9,

  /** Words and pages of its own: the strongest sign of a site in use. */
  ownContent: -3.5,
  /** An error answer: what it says is the server's word, not the holder's. */
  failed: -0.9,
} as const

/** A second sign of the same kind says less than the first. */
export const SECOND = 0.4

/** Of a statement that speaks of some domain and not of this one: on a page with little else, and on any other. */
export const KIND = { thin: 0.85, full: 0.2 } as const

/** That some domain is registered goes without saying: it is worth even less where it does not point at this one. */
export const KIND_REGISTERED = 0.65

/** Words up to which nothing is damped, and from which on text alone is worth no more than `least`. */
export const DAMPING = { from: 160, to: 600, least: 0.3 } as const

/**
 * What a statement in a footer, or after other text, is worth: all up to `from` words of that text, `least` of it from `to`
 * words on. The second and each further page of the site counts as `wordsPerPage`. An article has at least `articleWords`;
 * a page with fewer than `shellWords` is only a shell around its frame or redirect.
 */
export const ASIDE = { from: 15, to: 55, least: 0.3, wordsPerPage: 10, articleWords: 60, shellWords: 40 } as const
