import type { Sections } from './segment-file.ts'

/** Strings one after the other, with the end offset of each. */
export function encodeStringTable(name: string, texts: readonly string[]): Sections {
  const ends = new Uint32Array(texts.length)
  const parts: Buffer[] = []
  let end = 0
  for (const [at, text] of texts.entries()) {
    const part = Buffer.from(text)
    parts.push(part)
    ends[at] = end += part.length
  }
  if (end >= 2 ** 32) throw new RangeError(`Section ${name} exceeds what one segment can hold.`)
  return { [`${name}.bytes`]: Buffer.concat(parts), [`${name}.ends`]: ends }
}

export function openStringTable(name: string, sections: Sections) {
  const { buffer } = sections[`${name}.bytes`]!
  const bytes = Buffer.from(buffer as ArrayBuffer)
  const ends = sections[`${name}.ends`] as Uint32Array
  const at = (number: number) => bytes.toString('utf8', number === 0 ? 0 : ends[number - 1]!, ends[number])
  return {
    length: ends.length,
    at,
    /** Binary search in sorted ASCII strings: the index, or -1. */
    find(text: string): number {
      let low = 0
      let high = ends.length
      while (low < high) {
        const middle = (low + high) >>> 1
        const order = compare(bytes, middle === 0 ? 0 : ends[middle - 1]!, ends[middle]!, text)
        if (order === 0) return middle
        if (order < 0) low = middle + 1
        else high = middle
      }
      return -1
    },
  }
}

/** By hand: Buffer.compare costs more per call than comparing these few bytes. */
function compare(bytes: Uint8Array, begin: number, end: number, text: string): number {
  const length = Math.min(end - begin, text.length)
  for (let at = 0; at < length; at++) {
    const difference = bytes[begin + at]! - text.charCodeAt(at)
    if (difference !== 0) return difference
  }
  return end - begin - text.length
}
