import type { ModelFile } from '../../src/valuation/model.ts'
import { hashFraction } from './split.ts'

/** With 10 bits per name about one unknown name in a hundred is mistaken for a known one. */
const BITS_PER_NAME = 10
const HASHES = 4

/** A Bloom filter of the names that were trained on; the names themselves are not stored. */
export function rememberNames(domains: ReadonlySet<string>): ModelFile['seen'] {
  const bits = new Uint8Array(Math.ceil((Math.max(1, domains.size) * BITS_PER_NAME) / 8))
  for (const domain of domains) {
    for (const bit of bitsOf(domain, HASHES, bits.length * 8)) bits[bit >> 3]! |= 1 << (bit & 7)
  }
  return { hashes: HASHES, bits: Buffer.from(bits).toString('base64') }
}

/** True for every name that was trained on, and for about 1% of the others. */
export function recallNames({ hashes, bits }: ModelFile['seen']): (domain: string) => boolean {
  const remembered = Buffer.from(bits, 'base64')
  return (domain) =>
    bitsOf(domain, hashes, remembered.length * 8).every((bit) => (remembered[bit >> 3]! & (1 << (bit & 7))) !== 0)
}

const bitsOf = (domain: string, hashes: number, size: number) =>
  Array.from({ length: hashes }, (_, hash) => Math.floor(hashFraction(domain, `seen-${hash}`) * size))
