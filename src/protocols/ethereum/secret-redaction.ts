import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'

/** The URL of a node without credentials, and the headers that carry them. */
export type NodeAddress = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/** Moves user and password from the URL to a header. The error message does not repeat the URL. */
export function parseNodeUrl(text: string, name: string): NodeAddress {
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

/** Replaces secrets in a text. */
export type Redactor = (text: string) => string

/** Shorter path segments are words such as `v3` and `rpc`, which are not secret. */
const MIN_KEY_LENGTH = 6

/**
 * Redacts everything in a URL that could be secret. Providers put keys into the path, the query, the user info and the
 * host name, and error messages of nodes and libraries may repeat them.
 */
export function createRedactor(text: string): Redactor {
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
  rate_limited: 'reports that its rate limit is exceeded',
  auth_error: 'does not accept our key',
  not_configured: 'serves another chain',
  unavailable: 'is unavailable',
}

/** The failure without the node's address, including all causes. */
export function redactFailure(error: UpstreamError, name: string, hide: Redactor): UpstreamError {
  const { failure, retryAfterMs } = error
  return new UpstreamError(failure, `${name} ${SENTENCES[failure]}`, { cause: hidden(error, hide, 0), retryAfterMs })
}

const MAX_CAUSE_DEPTH = 5

function hidden(error: unknown, hide: Redactor, depth: number): Error {
  const said = error instanceof Error ? error.message : String(error)
  const inner = error instanceof Error && depth < MAX_CAUSE_DEPTH ? error.cause : undefined
  const cause = inner === undefined ? undefined : { cause: hidden(inner, hide, depth + 1) }
  return Object.assign(new Error(hide(said), cause), codeOf(error))
}

const codeOf = (error: unknown): { code?: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
