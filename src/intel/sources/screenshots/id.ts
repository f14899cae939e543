import { createHmac } from 'node:crypto'

/** Derived from the picture and the secret: equal for equal pictures, and not guessable without the secret. */
export const idOf = (jpeg: Uint8Array, secret: Uint8Array): string =>
  createHmac('sha256', secret).update('screenshot').update(jpeg).digest('hex')

/** What is no id never becomes a part of a path. */
export const isId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
