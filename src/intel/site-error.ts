/** What keeps a site from being seen, in the words of the answer. */
export const SITE_PROBLEMS = {
  site_not_resolved: 'the name has no address',
  site_unreachable: 'nobody answers at its address, or the connection ends before a page came',
  site_timeout: 'no page came in time',
  site_not_public: 'its address, or the one it leads to, is not public',
} as const

export type SiteProblem = keyof typeof SITE_PROBLEMS

/** The site is to blame, not the browser. */
export class SiteError extends Error {
  override readonly name = 'SiteError'
  readonly problem: SiteProblem

  constructor(problem: SiteProblem, options?: { cause?: unknown }) {
    super(SITE_PROBLEMS[problem], options)
    this.problem = problem
  }
}
