import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'

/** Where a node is asked, without anything secret in the URL itself. */
export type Address = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/** Takes user and password out of a URL; they travel in a header. Throws without repeating the URL. */
export function readAddress(text: string, name: string): Address {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`The URL of ${name} is neither https nor http.`)
  }
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' }
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decoded(url.username)}:${decoded(url.password)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  url.username = ''
  url.password = ''
  url.hash = ''
  return { url, headers }
}

/** Takes out of a text whatever is secret. */
export type Discreet = (text: string) => string

/** Shorter pieces of a path are words such as `v3` and `rpc`, which stand in sentences too. */
const MIN_KEY_LENGTH = 6

/**
 * Hides what could be secret in a URL. Providers put keys into the path, the query, the user info and the name of the
 * host, and what a node or a library says may repeat them.
 */
export function discreetAbout(text: string): Discreet {
  const url = URL.parse(text)
  if (!url) return (said) => said
  const pieces = `${url.pathname}${url.search}`.split(/[/?&=]/).concat(url.hostname.split('.'))
  const secrets = [url.href, url.host, url.hostname, url.username, url.password, ...pieces.filter(isLong)]
  const spelled = [...new Set(secrets.flatMap((secret) => [secret, decoded(secret)]))]
    .filter((secret) => secret !== '')
    .sort((a, b) => b.length - a.length)
  return (said) => spelled.reduce((rest, secret) => rest.replaceAll(secret, '…'), said)
}

const isLong = (piece: string): boolean => piece.length >= MIN_KEY_LENGTH

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece)
  } catch {
    return piece
  }
}

const SENTENCES: Record<UpstreamFailure, string> = {
  timeout: 'did not answer in time',
  rate_limited: 'wants to be asked less often',
  auth_error: 'does not accept our key',
  not_configured: 'serves another chain',
  unavailable: 'could not be asked',
}

/** The same failure without the address of the node, down to the last cause. */
export function discreetFailure(error: UpstreamError, name: string, hide: Discreet): UpstreamError {
  const { failure, retryAfterMs } = error
  return new UpstreamError(failure, `${name} ${SENTENCES[failure]}`, { cause: hidden(error, hide, 0), retryAfterMs })
}

const DEEPEST_CAUSE = 5

function hidden(error: unknown, hide: Discreet, depth: number): Error {
  const said = error instanceof Error ? error.message : String(error)
  const inner = error instanceof Error && depth < DEEPEST_CAUSE ? error.cause : undefined
  const cause = inner === undefined ? undefined : { cause: hidden(inner, hide, depth + 1) }
  return Object.assign(new Error(hide(said), cause), codeOf(error))
}

const codeOf = (error: unknown): { code?: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
