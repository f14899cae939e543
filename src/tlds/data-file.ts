import * as z from 'zod'
import { CATEGORY_NAMES, TLD_TYPES } from './contract.ts'

/** The schema of `data/tlds.json`, shared by its writer and its reader. `data/PROVENANCE.md` describes it. */

const tld = z.string().regex(/^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/, 'is not a TLD')
const host = z.string().regex(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/, 'is not a host name')
const rdapBase = z.string().refine(isRdapBase, 'is not the base URL of an RDAP server')

const TldEntry = z.strictObject({
  tld,
  type: z.enum(TLD_TYPES),
  /** Left out if no RDAP server of the registry is known. */
  rdapServer: rdapBase.optional(),
  /** The origin of `rdapServer`: IANA's bootstrap file, or our own table `unlistedRdap`. */
  rdapFrom: z.enum(['iana', 'ours']).optional(),
  whoisServer: host.optional(),
  /** Only present for a TLD that has left the root zone. */
  enabled: z.literal(false).optional(),
})

/** Suffixes of one registry, such as `co.uk`. Edited by hand, except `rdapServer`. */
const SuffixGroup = z.strictObject({
  /** The TLD above the suffixes. It need not be one of ours. */
  tld,
  /** Set if their registry is not that of the TLD: only the servers given here are asked. */
  ownRegistry: z.literal(true).optional(),
  /** Left out if the servers are those of one of our TLDs. */
  rdapServer: rdapBase.optional(),
  whoisServer: host.optional(),
  suffixes: z.array(z.string().regex(/^[a-z0-9-]{2,63}\.[a-z]{2,63}$/, 'is not a suffix of two labels')).min(1),
})

export const TldFile = z.strictObject({
  /** The versions of IANA's files that the data comes from. */
  sources: z.strictObject({ bootstrap: z.iso.datetime(), root: z.string().regex(/^\d{10}$/) }),
  /** Edited by hand: RDAP servers of TLDs that IANA's bootstrap file does not list. */
  unlistedRdap: z.record(tld, rdapBase),
  /** Edited by hand: TLDs whose RDAP server supports plain HTTP only. */
  plainHttp: z.array(tld),
  /** Edited by hand. */
  categories: z.array(
    z.strictObject({ name: z.enum(CATEGORY_NAMES), label: z.string(), description: z.string(), tlds: z.array(tld) }),
  ),
  suffixes: z.array(SuffixGroup),
  tlds: z.array(TldEntry),
})

export type TldEntry = z.infer<typeof TldEntry>
export type SuffixGroup = z.infer<typeof SuffixGroup>
export type TldFile = z.infer<typeof TldFile>

/** Parses the file. Throws an Error that says in one line what is wrong. */
export function parseTldFile(text: string): TldFile {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new Error('the TLD data file is not JSON', { cause })
  }
  const parsed = TldFile.safeParse(content)
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Error(`the TLD data file is wrong at ${path.map(String).join('.') || 'the top'}: ${message}`)
}

/** One TLD, or one registry's suffixes, per line, so that diffs stay small. */
export function formatTldFile({ sources, unlistedRdap, plainHttp, categories, suffixes, tlds }: TldFile): string {
  const lines = (entries: readonly unknown[]) => entries.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n')
  const table = Object.entries(unlistedRdap).map(([tld, url]) => `    ${JSON.stringify(tld)}: ${JSON.stringify(url)}`)
  return `{
  "sources": ${JSON.stringify(sources)},
  "unlistedRdap": {
${table.join(',\n')}
  },
  "plainHttp": ${JSON.stringify(plainHttp)},
  "categories": [
${lines(categories)}
  ],
  "suffixes": [
${lines(suffixes)}
  ],
  "tlds": [
${lines(tlds)}
  ]
}
`
}

/** A valid RDAP base URL: a host name, no credentials, a path with a trailing slash, and nothing after it. */
export function isRdapBase(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.href !== text || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  const isName = /^[a-z0-9.-]+\.[a-z][a-z0-9-]*[a-z0-9]$/.test(url.hostname)
  return isName && url.username === '' && url.password === '' && !/[?#]/.test(text) && url.pathname.endsWith('/')
}
