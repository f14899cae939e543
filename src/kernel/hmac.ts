import { hash } from 'node:crypto'

const BLOCK_BYTES = 64
const HASH_BYTES = 32

/**
 * HMAC-SHA256 (RFC 2104) of short texts with one key, as base64url. Several times faster than `createHmac`, which creates
 * a native object for each text: a 402 is signed twice, and anybody can ask for one.
 */
export function createHmacSigner(secret: string): (text: string) => string {
  const key = Buffer.alloc(BLOCK_BYTES)
  const bytes = Buffer.from(secret)
  ;(bytes.length > BLOCK_BYTES ? hash('sha256', bytes, 'buffer') : bytes).copy(key)
  const innerKey = Buffer.from(key.map((byte) => byte ^ 0x36))
  const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES)
  outer.set(key.map((byte) => byte ^ 0x5c))
  let inner = Buffer.from(innerKey)
  return (text) => {
    const length = BLOCK_BYTES + Buffer.byteLength(text)
    if (length > inner.length) inner = Buffer.concat([innerKey], 2 * length)
    inner.write(text, BLOCK_BYTES)
    // As text, because a Buffer would be a native object again.
    outer.write(hash('sha256', inner.subarray(0, length), 'binary'), BLOCK_BYTES, 'binary')
    return hash('sha256', outer, 'base64url')
  }
}
