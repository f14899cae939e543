/** A number from 0 to 1 that depends on the name alone, so every sale of a name falls on the same side of a split. */
export function lotOf(domain: string, salt: string): number {
  let hash = 0x811c9dc5
  for (const letter of `${salt}:${domain}`) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** The share of names that no shipped model has seen. */
export const HELD_OUT = 0.15

export const isHeldOut = (domain: string) => lotOf(domain, 'held-out') < HELD_OUT

export const foldOf = (domain: string, folds: number) => Math.floor(lotOf(domain, 'fold') * folds)
