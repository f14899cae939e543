import { createHmac } from 'node:crypto'

/** The same for the same picture, and known only to who has the secret or was told. */
export const idOf = (jpeg: Uint8Array, secret: Uint8Array): string =>
  createHmac('sha256', secret).update('screenshot').update(jpeg).digest('hex')

/** What is no id never becomes a part of a path. */
export const isId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
