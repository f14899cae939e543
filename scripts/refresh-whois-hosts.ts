import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../src/kernel/clock.ts'
import type { DomainName } from '../src/kernel/names.ts'
import { createWhois43 } from '../src/protocols/whois43/client.ts'
import { parseIanaAnswer } from '../src/protocols/whois43/iana-hosts.ts'
import type { TldEntry } from '../src/tlds/data-file.ts'

/** IANA gets one query at a time. 511 of them take about four minutes. */
const GAP_MS = 250
/** Hosts move rarely: more changes, or more failures, mean that something else answers. */
const MAX_MOVED = 50
const MAX_FAILED = 25

type Options = { readonly server: string; readonly timeoutMs: number; readonly gapMs?: number }

/** The entries with the WHOIS hosts that IANA names, and a sentence for each change. Throws if too much is different. */
export async function refreshWhoisHosts(
  entries: readonly TldEntry[],
  { server, timeoutMs, gapMs = GAP_MS }: Options,
): Promise<{ readonly entries: TldEntry[]; readonly changes: string[]; readonly notes: string[] }> {
  const isLoopback = /^127\.\d+\.\d+\.\d+(?::|$)/.test(server)
  const client = createWhois43({
    clock: systemClock,
    timeoutMs,
    maxBytes: 64 * 1024,
    ...(isLoopback && { allow: (address) => address.startsWith('127.') }),
  })
  const changes: string[] = []
  const notes: string[] = []
  const failed: string[] = []
  const refreshed: TldEntry[] = []
  for (const [at, entry] of entries.entries()) {
    const { tld, whoisServer } = entry
    if (at > 0) await sleep(gapMs)
    let host: string | undefined
    try {
      host = parseIanaAnswer((await client.query({ domain: tld as DomainName, tld, server })).text, tld)
      if (host === undefined && whoisServer !== undefined)
        notes.push(`${tld}: IANA names no WHOIS host; kept ${whoisServer}`)
      if (host !== undefined && whoisServer === undefined)
        notes.push(`${tld}: IANA names ${host}; add it by hand if it answers`)
    } catch (error) {
      failed.push(tld)
      if (failed.length > MAX_FAILED)
        throw new Error(
          `${server} gave no usable answer for ${failed.length} TLDs (${failed.slice(0, 5).join(', ')}, ...)`,
          {
            cause: error,
          },
        )
    }
    const isMoved = host !== undefined && whoisServer !== undefined && host !== whoisServer
    if (isMoved) changes.push(`${tld}: WHOIS server moved from ${whoisServer} to ${host}`)
    refreshed.push(isMoved ? { ...entry, whoisServer: host } : entry)
  }
  if (changes.length > MAX_MOVED)
    throw new Error(`${changes.length} WHOIS servers seem to have moved; at most ${MAX_MOVED} are accepted`)
  if (failed.length > 0) notes.push(`No usable answer about ${failed.join(', ')}; their WHOIS servers are kept.`)
  return { entries: refreshed, changes, notes }
}
