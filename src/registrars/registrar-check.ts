import type { DomainName } from '../kernel/names.ts'

/** What the operator's registrar says about one domain. */
export type Quote = {
  readonly premium: boolean
  /** US dollars for the first year of a premium name; null if the name is not premium, or the registrar gives no price. */
  readonly registration: number | null
  readonly renewal: number | null
}

/** A registrar at which the operator has a key. Implementations are in `sources/`. */
export type RegistrarCheck = {
  /** At most one request in this time is sent. */
  readonly intervalMs: number
  /** Throws UpstreamError on failure. */
  check(domain: DomainName, signal: AbortSignal): Promise<Quote>
}
