import type { DomainName } from '../kernel/names.ts'

/** What DNS holds at a name. */
export type Records = {
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  readonly mx: readonly { readonly host: string; readonly priority: number }[]
  readonly ns: readonly { readonly host: string; readonly ip: string }[]
  readonly txt: readonly string[]
  readonly cname: string | null
  readonly soa: {
    readonly primary: string
    readonly email: string
    readonly serial: number
    readonly refresh: number
    readonly retry: number
    readonly expire: number
    readonly minimum: number
  } | null
  readonly dnssec: boolean
}

/** Somebody who knows the DNS. Implementations live in `sources/`. */
export type Resolver = {
  /** All records of a name; null where there is no such name or it has none. Throws UpstreamError when it cannot tell. */
  look(domain: DomainName, signal: AbortSignal): Promise<Records | null>
}
