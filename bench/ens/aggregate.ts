/** The other side of Multicall3's `aggregate3`, as a node needs it: what was asked, and the bytes of an answer. */
export const AGGREGATE3 = '0x82ad56cb'

type Call = { readonly to: string; readonly data: string }
type CallResult = { readonly ok: boolean; readonly data: string }

/** Hexadecimal digits of one word of 32 bytes. */
const WORD = 64

/** The calls in the bytes of a call to `aggregate3((address,bool,bytes)[])`. */
export function splitAggregate(bytes: string): Call[] {
  const digits = bytes.slice(AGGREGATE3.length)
  const numberAt = (at: number) => Number.parseInt(digits.slice(at, at + WORD), 16)
  const array = numberAt(0) * 2
  const start = array + WORD
  return Array.from({ length: numberAt(array) }, (_, index) => {
    const tuple = start + numberAt(start + index * WORD) * 2
    const data = tuple + numberAt(tuple + 2 * WORD) * 2
    return {
      to: `0x${digits.slice(tuple + 24, tuple + WORD)}`,
      data: `0x${digits.slice(data + WORD, data + WORD + numberAt(data) * 2)}`,
    }
  })
}

/** What `aggregate3` returns: `(bool,bytes)[]`. */
export function joinReturned(all: readonly CallResult[]): string {
  let offset = all.length * 32
  let [offsets, bodies] = ['', '']
  for (const { ok, data } of all) {
    const digits = data.slice(2)
    const padded = digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0')
    offsets += word(offset)
    bodies += word(ok ? 1 : 0) + word(64) + word(digits.length / 2) + padded
    offset += 96 + padded.length / 2
  }
  return `0x${word(32)}${word(all.length)}${offsets}${bodies}`
}

const word = (value: number): string => value.toString(16).padStart(WORD, '0')
