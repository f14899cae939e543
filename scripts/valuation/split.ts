/** A hash of the name as a number from 0 to 1, so that all sales of a name are on the same side of a split. */
export function hashFraction(domain: string, salt: string): number {
  let hash = 0x811c9dc5
  for (const letter of `${salt}:${domain}`) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** The share of names that are never used for training. */
export const HELD_OUT = 0.15

export const isHeldOut = (domain: string) => hashFraction(domain, 'held-out') < HELD_OUT

export const foldOf = (domain: string, folds: number) => Math.floor(hashFraction(domain, 'fold') * folds)
