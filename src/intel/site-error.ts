/** Why a site could not be captured: the code in the response and its meaning. */
export const SITE_PROBLEMS = {
  site_not_resolved: 'the name has no address',
  site_unreachable: 'its address does not accept connections, or closed the connection before a page was received',
  site_timeout: 'no page was received in time',
  site_not_public: 'its address, or one it redirects to, is not public',
} as const

export type SiteProblem = keyof typeof SITE_PROBLEMS

/** A failure of the site, not of the browser. */
export class SiteError extends Error {
  override readonly name = 'SiteError'
  readonly problem: SiteProblem

  constructor(problem: SiteProblem, options?: { cause?: unknown }) {
    super(SITE_PROBLEMS[problem], options)
    this.problem = problem
  }
}
