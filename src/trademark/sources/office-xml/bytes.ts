export const LESS_THAN = 0x3c
export const GREATER_THAN = 0x3e
export const SLASH = 0x2f
export const BANG = 0x21
export const QUESTION = 0x3f
export const AMPERSAND = 0x26
const QUOTE = 0x22
const APOSTROPHE = 0x27

export const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Offset of the `>` that ends the tag at `at`, or -1. A `>` in quotes does not end it. */
export function tagEnd(bytes: Buffer, at: number): number {
  let quote = 0
  for (let index = at; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (quote !== 0) {
      if (byte === quote) quote = 0
    } else if (byte === GREATER_THAN) return index
    else if (byte === QUOTE || byte === APOSTROPHE) quote = byte
  }
  return -1
}
