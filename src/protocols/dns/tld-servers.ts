import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { parseServerAddress, type ServerAddress } from './server-address.ts'

/** The authoritative name servers of each TLD. */
export type TldServers = {
  /** Empty if the TLD is unknown. */
  find(tld: string): readonly ServerAddress[]
  /** Whether the root zone has a DS record for the TLD. */
  isSigned(tld: string): boolean
}

/** Format of the operator's setting: addresses `ip[:port]` by TLD. */
const Addresses = z.record(z.string().regex(/^[a-z0-9-]{2,63}$/, 'is not a TLD'), z.array(z.string()).min(1))

/** Format of `data/nameservers.json`. `rootZone` is the serial of the root zone it was made from. */
export const NameserverFile = z.strictObject({
  rootZone: z.string().regex(/^\d{10}$/),
  /** The few TLDs without a DS record. */
  unsigned: z.array(z.string()),
  servers: Addresses,
})
export type NameserverFile = z.infer<typeof NameserverFile>

let bundled: NameserverFile | undefined

/** The bundled file, loaded on first use. */
export const bundledServers = (): NameserverFile =>
  (bundled ??= NameserverFile.parse(
    JSON.parse(readFileSync(new URL('../../../data/nameservers.json', import.meta.url), 'utf8')),
  ))

/**
 * The servers of a file, by default the bundled one; an operator's override replaces all servers of its TLD. Throws an
 * Error that says in one line what is wrong with the overrides.
 */
export function loadTldServers(overrides: unknown = {}, file: NameserverFile = bundledServers()): TldServers {
  const { servers, unsigned } = file
  const own = parseOverrides(overrides)
  // Parsed lazily per TLD: there are thousands of addresses, and few are ever used.
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

function parseOverrides(overrides: unknown): [string, readonly ServerAddress[]][] {
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

/** One TLD per line, so that diffs stay small. */
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
