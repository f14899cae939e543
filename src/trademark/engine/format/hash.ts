/** FNV-1a, one unit at a time: start with `SEED`, `mix` each unit in, and `finish`. */
export const SEED = 0x811c9dc5 | 0
export const mix = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193)

/** Final avalanche as in MurmurHash3: hash tables take their bucket from the high bits, which FNV mixes badly. */
export function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

export const hashOfText = (text: string): number => finish(mixText(SEED, text))

function mixText(hash: number, text: string): number {
  for (let at = 0; at < text.length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash
}

/** Hash of bytes[from, to) without the byte at `skipped`; `skipped` = `to` skips nothing. */
export function hashSkipping(bytes: Uint8Array, from: number, to: number, skipped: number): number {
  let hash = SEED
  for (let at = from; at < to; at++) if (at !== skipped) hash = mix(hash, bytes[at]!)
  return finish(hash)
}

/** Calls `put` with `hashSkipping` of each byte of bytes[from, to) that differs from the one before it. */
export function eachHashSkipping(bytes: Uint8Array, from: number, to: number, put: (hash: number) => void): void {
  /** Of the bytes before the skipped one, which all later hashes share. */
  let before = SEED
  for (let skipped = from; skipped < to; skipped++) {
    if (skipped === from || bytes[skipped] !== bytes[skipped - 1]) {
      let hash = before
      for (let at = skipped + 1; at < to; at++) hash = mix(hash, bytes[at]!)
      put(finish(hash))
    }
    before = mix(before, bytes[skipped]!)
  }
}

/** Hash of bytes[from, to) as one piece of a word of this length; see `piecesAround` in `search/word-forms.ts`. */
export function hashOfPiece(length: number, piece: number, bytes: Uint8Array, from: number, to: number): number {
  let hash = mix(mix(SEED, length), piece)
  for (let at = from; at < to; at++) hash = mix(hash, bytes[at]!)
  return finish(hash)
}
