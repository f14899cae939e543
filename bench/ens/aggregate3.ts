/** The node's side of Multicall3's `aggregate3`: decodes the calls and encodes the results. The selector: */
export const AGGREGATE3 = '0x82ad56cb'

type Call = { readonly to: string; readonly data: string }
type CallResult = { readonly ok: boolean; readonly data: string }

/** One ABI word of 32 bytes. */
const WORD_HEX_DIGITS = 64

/** Decodes the calls in the calldata of `aggregate3((address,bool,bytes)[])`. */
export function decodeCalls(bytes: string): Call[] {
  const digits = bytes.slice(AGGREGATE3.length)
  const numberAt = (at: number) => Number.parseInt(digits.slice(at, at + WORD_HEX_DIGITS), 16)
  const array = numberAt(0) * 2
  const start = array + WORD_HEX_DIGITS
  return Array.from({ length: numberAt(array) }, (_, index) => {
    const tuple = start + numberAt(start + index * WORD_HEX_DIGITS) * 2
    const data = tuple + numberAt(tuple + 2 * WORD_HEX_DIGITS) * 2
    return {
      to: `0x${digits.slice(tuple + 24, tuple + WORD_HEX_DIGITS)}`,
      data: `0x${digits.slice(data + WORD_HEX_DIGITS, data + WORD_HEX_DIGITS + numberAt(data) * 2)}`,
    }
  })
}

/** Encodes what `aggregate3` returns: `(bool,bytes)[]`. */
export function encodeResults(all: readonly CallResult[]): string {
  let offset = all.length * 32
  let [offsets, bodies] = ['', '']
  for (const { ok, data } of all) {
    const digits = data.slice(2)
    const padded = digits.padEnd(Math.ceil(digits.length / WORD_HEX_DIGITS) * WORD_HEX_DIGITS, '0')
    offsets += word(offset)
    bodies += word(ok ? 1 : 0) + word(64) + word(digits.length / 2) + padded
    offset += 96 + padded.length / 2
  }
  return `0x${word(32)}${word(all.length)}${offsets}${bodies}`
}

const word = (value: number): string => value.toString(16).padStart(WORD_HEX_DIGITS, '0')
