/** A set of small, dense integers, one bit each. */
export type BitSet = { add(number: number): void; has(number: number): boolean }

export function createBitSet(): BitSet {
  let bytes = new Uint8Array(1024)
  return {
    add(number: number): void {
      const at = number >>> 3
      if (at >= bytes.length) {
        const larger = new Uint8Array(Math.max(at + 1, bytes.length * 2))
        larger.set(bytes)
        bytes = larger
      }
      bytes[at]! |= 1 << (number & 7)
    },
    has: (number: number): boolean => ((bytes[number >>> 3] ?? 0) & (1 << (number & 7))) !== 0,
  }
}
