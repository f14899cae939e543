import { createHmac, hash } from 'node:crypto'
import { ApiError } from '../kernel/errors.ts'
import type { RequestHeaders } from './scheme.ts'

/** Makes a leaked token recognizable, and tells it from tokens of other services. */
const CREDIT_TOKEN_PREFIX = 'onoma_credit_'
/** The header of most requests, which has nothing beside the token. */
const ONLY_BEARER = /^bearer +(onoma_credit_[\w-]*)$/i
const TOKEN = /^onoma_credit_[\w-]{43}$/

/** Header of every answer that was paid with credit: what is left, in US dollars. */
export const CREDIT_BALANCE = 'Credit-Balance'

/** 32 bytes. Nobody can derive them without the service's key, nor without the salt, which is in the ledger. */
export const deriveCreditToken = (secret: string, salt: string, paymentKey: string): string =>
  CREDIT_TOKEN_PREFIX + createHmac('sha256', secret).update(`credit token\n${salt}\n${paymentKey}`).digest('base64url')

/** Looked up by this hash, so the time of a lookup tells nothing about a token. */
export const hashCreditToken = (token: string): string => hash('sha256', token, 'hex')

/**
 * The credit token of the Authorization header; undefined if it has none. A bearer token of another service is not ours
 * to judge: a proxy may have added it. Throws if there are several.
 */
export function parseCreditToken(headers: RequestHeaders): string | undefined {
  const header = headers['authorization']
  if (header === undefined) return undefined
  const only = typeof header === 'string' ? ONLY_BEARER.exec(header)?.[1] : undefined
  if (only !== undefined) return only
  const found = [header]
    .flat()
    .flatMap((value) => value.split(','))
    .map((part) => /^\s*bearer +(onoma_credit_\S*)\s*$/i.exec(part)?.[1])
    .filter((token) => token !== undefined)
  if (found.length > 1) throw new ApiError('invalid_request', 'Send one credit token, not several.')
  return found[0]
}

export const isCreditToken = (token: string | undefined): token is string => token !== undefined && TOKEN.test(token)

export const unknownToken = (): ApiError =>
  new ApiError(
    'invalid_token',
    'There is no credit with this token; send Authorization: Bearer and the token that POST /v1/credit returned.',
    { headers: { 'WWW-Authenticate': 'Bearer realm="credit", error="invalid_token"' } },
  )
