import { setTimeout as sleep } from 'node:timers/promises'
import { serveWhois, type WhoisServer } from '../../sandbox/names/whois-server.ts'
import { OK } from '../../sandbox/outcome.ts'

/** The WHOIS host name of a TLD on the simulated internet. */
export const whoisHostOf = (tld: string): string => `whois.nic.${tld}`

/** Simulates whois.iana.org: returns the WHOIS server of a domain's TLD, with the latency of a registry. */
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
