import { asciiDomain } from './assets/name-list.js'

const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
const HOST_OF_ADDRESS = /^([^\s/?#@:<>"']+\.[^\s/?#@:<>"'.]{2,})(?::\d+)?[/?#]/
const ENS_NAME = /\.eth$/i
const MAX_LABEL_LENGTH = 63

/** What a person asked for, without space, a final dot, and the rest of the URL that it came in. */
export function parseAsked(text: string): string {
  const bare = text.trim().replace(SCHEME, '')
  return (HOST_OF_ADDRESS.exec(bare)?.[1] ?? bare).replace(/\.+$/, '')
}

/** The page that shows it: a domain has a page of its own, a name of ENS is a name. */
export function pageOfAsked(asked: string): string {
  if (asked === '') return '/'
  return `/${asked.includes('.') && !ENS_NAME.test(asked) ? 'd' : 'n'}/${encodeURIComponent(asked)}`
}

/** The nearest text that may be a name or a domain; undefined if nothing else is near. */
export function suggestName(asked: string): string | undefined {
  const labels = asciiDomain(parseAsked(asked))
    .replace(/^www\.(?=.+\.)/, '')
    .split('.')
    .map((label) => label.replaceAll(/[^a-z\d-]/g, '').slice(0, MAX_LABEL_LENGTH))
    .map((label) => label.replaceAll(/^-+|-+$/g, ''))
    .filter((label) => label !== '')
  const near = labels.join('.')
  return near === '' || near === asked ? undefined : near
}
