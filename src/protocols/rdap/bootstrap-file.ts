import { list, record, text } from './json.ts'

/** Which RDAP server answers for a TLD, as IANA publishes it (RFC 9224). */
export type BootstrapFile = {
  /** When it was published, in milliseconds since the epoch. */
  readonly publication: number
  /** Base URLs with a trailing slash, best first. TLDs without a server are left out. */
  readonly bases: ReadonlyMap<string, readonly string[]>
}

const TLD = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
/** The file has about 600 services today. */
const MAX_SERVICES = 20_000

/** Parses IANA's `dns.json`. Throws an Error that says what is wrong if it is something else or truncated. */
export function parseBootstrap(
  content: string,
  { insecure = false }: { readonly insecure?: boolean } = {},
): BootstrapFile {
  const file = record(parse(content))
  const publication = Date.parse(text(file?.['publication']) ?? '')
  const services = file?.['services']
  if (!Array.isArray(services) || services.length > MAX_SERVICES) throw new Error('it has no list of services')
  if (Number.isNaN(publication)) throw new Error('it does not say when it was published')
  const bases = new Map<string, readonly string[]>()
  for (const service of services) {
    const [tlds, urls] = Array.isArray(service) ? service : []
    if (!Array.isArray(tlds) || !Array.isArray(urls)) throw new Error('one of its services is not a pair of lists')
    const usable = list(urls).flatMap((url) => baseUrl(text(url), insecure) ?? [])
    // Not `list`, which would truncate a long list of TLDs.
    for (const entry of usable.length > 0 ? (tlds as unknown[]) : []) {
      const tld = text(entry)?.toLowerCase() ?? ''
      if (TLD.test(tld)) bases.set(tld, usable)
    }
  }
  return { publication, bases }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new Error(/^\s*</.test(content) ? 'it is a web page' : 'it is not JSON', { cause })
  }
}

/** A base URL to which `domain/…` can be appended; undefined if the URL is not allowed. */
export function baseUrl(text: string | undefined, insecure: boolean): string | undefined {
  const url = URL.parse(text ?? '')
  if (!url || (url.protocol !== 'https:' && !(insecure && url.protocol === 'http:'))) return undefined
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
