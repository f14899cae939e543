import { isHostName } from './server.ts'

const KEYS = /^(?:registrar whois server|whois server|whois|refer|referralserver)$/i
const MAX_LINES = 500

/**
 * The host the answer refers to for this domain. Undefined unless it is a host name, not an IP address, on the default
 * port. In an answer about several objects, only the referral of this domain counts.
 */
export function findReferral(text: string, domain: string): string | undefined {
  let isAbout = true
  for (const line of text.split('\n', MAX_LINES)) {
    const colon = line.indexOf(':')
    if (colon === -1 || colon > 40) continue
    const key = line.slice(0, colon).trim()
    const value = line.slice(colon + 1).trim()
    if (/^(?:domain(?: name)?|server name)$/i.test(key)) isAbout = value.toLowerCase().replace(/\.$/, '') === domain
    if (!isAbout || !KEYS.test(key)) continue
    const host = hostIn(value)
    if (host !== undefined) return host
  }
  return undefined
}

function hostIn(value: string): string | undefined {
  const host = value
    .toLowerCase()
    .replace(/^r?whois:\/\//, '')
    .replace(/\/$/, '')
    .replace(/:43$/, '')
  return isHostName(host) ? host : undefined
}
