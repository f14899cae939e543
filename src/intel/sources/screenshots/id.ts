import { createHmac } from 'node:crypto'

/** An HMAC of the image: equal for equal images, and not guessable without the secret. */
export const idOf = (jpeg: Uint8Array, secret: Uint8Array): string =>
  createHmac('sha256', secret).update('screenshot').update(jpeg).digest('hex')

/** Checked before an id is used in a path. */
export const isId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
