import type { DnsName } from '../kernel/names.ts'

/** The DNS records of a name. */
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

/** The resolvers answered SERVFAIL: they work, but the name servers of the name or its DNSSEC are broken. */
export type ServFail = { readonly servfail: true }

/** Looks up names in DNS. Implementations are in `sources/`. */
export type Resolver = {
  /** All records of a name; null if it does not exist or has no records. Throws UpstreamError if no resolver answers. */
  resolve(domain: DnsName, signal: AbortSignal): Promise<Records | ServFail | null>
}
