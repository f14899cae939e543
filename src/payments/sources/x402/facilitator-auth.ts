import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Random } from '../../../kernel/random.ts'

/** How a facilitator knows us: a fixed header, or a key of the Coinbase Developer Platform (CDP). */
export type FacilitatorAuth =
  | { readonly header: { readonly name: string; readonly value: string } }
  | { readonly keyId: string; readonly keySecret: string }

type Needs = { readonly clock: Pick<Clock, 'now'>; readonly random: Random }

const TTL_SECONDS = 120
const NONCE_BYTES = 16
/** Seed and public key of Ed25519. */
const ED25519_BYTES = 64

/** The headers that authenticate one request. CDP wants a new token for each. */
export function createFacilitatorAuth(
  auth: FacilitatorAuth | undefined,
  { clock, random }: Needs,
): (method: 'GET' | 'POST', url: string) => Record<string, string> {
  if (!auth) return () => ({})
  if ('header' in auth) return () => ({ [auth.header.name]: auth.header.value })
  const { keyId } = auth
  const { key, alg } = parseKeySecret(auth.keySecret)
  return (method, url) => {
    const { host, pathname } = new URL(url)
    const now = Math.floor(clock.now() / 1000)
    const header = { alg, kid: keyId, typ: 'JWT', nonce: Buffer.from(random.bytes(NONCE_BYTES)).toString('hex') }
    const uris = [`${method} ${host}${pathname}`]
    const claims = { sub: keyId, iss: 'cdp', uris, iat: now, nbf: now, exp: now + TTL_SECONDS }
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    const bytes = Buffer.from(signed)
    const signature =
      alg === 'EdDSA' ? sign(null, bytes, key) : sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
    return { authorization: `Bearer ${signed}.${signature.toString('base64url')}` }
  }
}

/** Throws without repeating the secret. */
function parseKeySecret(secret: string): { readonly key: KeyObject; readonly alg: 'EdDSA' | 'ES256' } {
  try {
    if (secret.includes('-----BEGIN')) {
      const key = createPrivateKey(secret.replaceAll(String.raw`\n`, '\n'))
      if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { key, alg: 'ES256' }
    }
    const bytes = Buffer.from(secret, 'base64')
    if (bytes.length === ED25519_BYTES) {
      const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((half) => half.toString('base64url'))
      const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: d!, x: x! }, format: 'jwk' })
      return { key, alg: 'EdDSA' }
    }
  } catch {
    // The parser's message could repeat parts of the secret.
  }
  throw new Error('The secret of the facilitator key is neither base64 of 64 bytes (Ed25519) nor PEM (P-256).')
}
