import { setTimeout as sleep } from 'node:timers/promises'
import { serveWhois, type WhoisServer } from '../../sandbox/names/whois-server.ts'
import { OK } from '../../sandbox/outcome.ts'

/** The host of a TLD's WHOIS server, as peers are told it. */
export const whoisHostOf = (tld: string): string => `whois.nic.${tld}`

/** whois.iana.org: asked about a domain, it names the WHOIS server of its TLD, as far away as a registry. */
export const serveIanaWhois = (latencyMs: number): Promise<WhoisServer> => {
  const wait = async (ms: number, signal: AbortSignal) => {
    await sleep(ms, undefined, { signal })
  }
  return serveWhois({
    wait,
    async respond(query, gone) {
      await wait(latencyMs, gone)
      const tld = query.slice(query.lastIndexOf('.') + 1).toLowerCase()
      const lines = [
        '% IANA WHOIS server',
        '',
        `refer:        ${whoisHostOf(tld)}`,
        '',
        `domain:       ${tld.toUpperCase()}`,
      ]
      return { outcome: OK, text: [...lines, '', `whois:        ${whoisHostOf(tld)}`, ''].join('\n') }
    },
  })
}
