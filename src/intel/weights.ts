/**
 * The weight of each observation, in log-odds. `start` is the prior: most names are in use. The logistic function of the
 * sum is the confidence. The values were set by hand, not fitted; `npm run score:parking` scores a change on the
 * labelled pages.
 */
export const WEIGHTS = {
  start: -3.2,

  /** A mark of a parking service: its hosts, its key for ad blockers, its variables. */
  serviceScript: 4.6,
  /** A file name typical of parking pages. */
  parkingFile: 1.6,

  /** Google's advertising product for parked domains. */
  domainAds: 3.4,
  /** Headings of paid links, on a page with little else. */
  adHeadings: 2,
  /** Links to one URL with different search terms. */
  feedLinks: 1.2,

  /** Redirected to the page of this domain at a marketplace. */
  soldElsewhere: 4.6,
  /** Redirected to another page of a marketplace. */
  marketplace: 1.4,
  /** Only a frame with a page of a marketplace that does not mention the domain. */
  marketplaceFrame: 3.6,
  /** A link to the page of this domain at a marketplace. */
  saleLink: 2.6,
  saleTitle: 3.9,
  saleHeading: 3.7,
  saleText: 3.5,
  buyText: 3,

  /** A redirect to a path or host that only landers use. */
  lander: 3.9,

  telltale: 3.4,
  parkedText: 3.6,
  endedText: 3.4,
  registeredText: 3.4,
  toTheOwner: 1,
  /** A hosting provider's default page, with or without a phrase that addresses its customer. */
  hostingDefault: { toTheOwner: 3.6, alone: 1.6 },

  nameserver: { strong: 3.4, medium: 2, weak: 0.5 },
  address: { strong: 2.4, medium: 1.6, weak: 0.4 },

  /** A page with hardly any words. */
  thin: 0.6,
  /** A page that shows only the domain. */
  onlyTheName: 0.9,

  /** Text and pages of its own: the strongest evidence of a site in use. */
  ownContent: -3.5,
  /** An error response: its text is the server's, not the owner's. */
  failed: -0.9,
} as const

/** Factor for the second signal of one name. */
export const SECOND_SIGNAL_FACTOR = 0.4

/** Factor for a statement about some domain rather than this one: on a page with little else, and on any other. */
export const KIND = { thin: 0.85, full: 0.2 } as const

/** Further factor if that statement only says that a domain is registered. */
export const KIND_REGISTERED = 0.65

/** The damping factor falls from 1 at `from` words to `least` at `to` words. */
export const DAMPING = { from: 160, to: 600, least: 0.3 } as const

/**
 * The factor for a statement in a footer or after other text falls from 1 at `from` words of that text to `least` at `to`
 * words. The second and each further page of the site counts as `wordsPerPage`. An article has at least `articleWords`;
 * a page with fewer than `shellWords` is only a shell around its frame or redirect.
 */
export const ASIDE = { from: 15, to: 55, least: 0.3, wordsPerPage: 10, articleWords: 60, shellWords: 40 } as const
