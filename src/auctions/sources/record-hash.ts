/** A 53-bit hash of a record (two multiplicative hashes). A collision with the record's previous version would hide a change. */
export function hashRecord(seed: number, ...parts: readonly string[]): number {
  let a = 0xdeadbeef ^ seed
  let b = 0x41c6ce57 ^ seed
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      const code = part.charCodeAt(at)
      a = Math.imul(a ^ code, 2_654_435_761)
      b = Math.imul(b ^ code, 1_597_334_677)
    }
    // Separate the parts.
    a = Math.imul(a ^ 0x1_0001, 2_246_822_507)
    b = Math.imul(b ^ 0x1_0001, 3_266_489_909)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return (b & 0x1f_ffff) * 2 ** 32 + (a >>> 0)
}
