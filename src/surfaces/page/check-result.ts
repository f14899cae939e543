/** The result of one domain, as the availability endpoints answer it. */
export type CheckResult = {
  readonly domain: string
  readonly tld: string
  readonly status: readonly string[]
  readonly premium?: boolean
  readonly error?: string
}
