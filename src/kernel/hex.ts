/** Bytes as `0x` followed by hexadecimal digits. */
export type Hex = `0x${string}`
