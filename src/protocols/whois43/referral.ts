import { isHostName } from './server.ts'

const KEYS = /^(?:registrar whois server|whois server|whois|refer|referralserver)$/i
const MAX_LINES = 500

/**
 * The server an answer refers to for more about this domain; undefined where it names none that may be asked: a name
 * (no address) that listens on the usual port. Where an answer speaks of several things, only what it says of this one
 * counts.
 */
export function referralIn(text: string, domain: string): string | undefined {
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
