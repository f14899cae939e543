import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { parseServerAddress, type ServerAddress } from './server-address.ts'

/** Which servers are responsible for which TLD. */
export type TldServers = {
  /** None where the TLD is unknown. */
  find(tld: string): readonly ServerAddress[]
  /** Whether the root zone has a DS record for the TLD. */
  isSigned(tld: string): boolean
}

/** The form an operator gives: addresses `ip[:port]` by TLD. */
const Addresses = z.record(z.string().regex(/^[a-z0-9-]{2,63}$/, 'is not a TLD'), z.array(z.string()).min(1))

/** The form of `data/nameservers.json`: the same, and from which edition of the root zone it is. */
export const NameserverFile = z.strictObject({
  rootZone: z.string().regex(/^\d{10}$/),
  /** The few TLDs without a DS record. */
  unsigned: z.array(z.string()),
  servers: Addresses,
})
export type NameserverFile = z.infer<typeof NameserverFile>

let bundled: NameserverFile | undefined

/**
 * The servers that come with the project; where an operator names others for a TLD, those alone.
 * Throws an Error that says in one line what is wrong with what the operator gave.
 */
export function loadTldServers(overrides: unknown = {}): TldServers {
  bundled ??= NameserverFile.parse(
    JSON.parse(readFileSync(new URL('../../../data/nameservers.json', import.meta.url), 'utf8')),
  )
  const { servers, unsigned } = bundled
  const own = readOverrides(overrides)
  // Thousands of addresses, few of them ever asked: each TLD's are read when it is first asked for.
  const known = new Map<string, readonly ServerAddress[]>(own)
  return {
    find(tld) {
      const found = known.get(tld)
      if (found) return found
      const texts = Object.hasOwn(servers, tld) ? servers[tld]! : undefined
      if (texts === undefined) return []
      const parsed = texts.map(parseServerAddress)
      known.set(tld, parsed)
      return parsed
    },
    isSigned: (tld) => Object.hasOwn(servers, tld) && !unsigned.includes(tld),
  }
}

function readOverrides(overrides: unknown): [string, readonly ServerAddress[]][] {
  const parsed = Addresses.safeParse(overrides)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw new Error(`the name servers of TLDs are wrong at ${path.map(String).join('.') || 'the top'}: ${message}`)
  }
  return Object.entries(parsed.data).map(([tld, texts]) => {
    try {
      return [tld, texts.map(parseServerAddress)]
    } catch (cause) {
      throw new Error(`the name servers of .${tld} are wrong: ${(cause as Error).message}`, { cause })
    }
  })
}

/** One TLD to a line, so that a change to one TLD is a change to one line. */
export function formatNameserverFile({ rootZone, unsigned, servers }: NameserverFile): string {
  const lines = Object.entries(servers).map(([tld, texts]) => `    ${JSON.stringify(tld)}: ${JSON.stringify(texts)}`)
  return `{
  "rootZone": ${JSON.stringify(rootZone)},
  "unsigned": ${JSON.stringify(unsigned)},
  "servers": {
${lines.join(',\n')}
  }
}
`
}
