import type { SpillFile } from './spill-file.ts'

/** A growable array of 32-bit numbers; a plain array of numbers takes several times the memory. */
export const createNumberList = (spill: SpillFile | null = null) => createList(Uint32Array, spill)

/** The same for numbers below 256. */
export const createByteList = (spill: SpillFile | null = null) => createList(Uint8Array, spill)

/** Values in the file of a list; `length` counts values. */
type SpilledPart = { readonly offset: number; readonly length: number }

function createList<T extends Uint8Array | Uint32Array>(ofLength: new (length: number) => T, spill: SpillFile | null) {
  /** The values that are not in the file. */
  let values = new ofLength(4)
  let length = 0
  let parts: SpilledPart[] = []
  let spilled = 0

  /** Loads what is in the file; the list is in memory as a whole then. */
  function load(): void {
    const all = new ofLength(spilled + length)
    let at = 0
    for (const part of parts) {
      spill!.read(bytesOf(all.subarray(at, at + part.length)), part.offset)
      at += part.length
    }
    all.set(values.subarray(0, length), at)
    values = all
    length = all.length
    parts = []
    spilled = 0
  }

  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new ofLength(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    /** Removes all values from this place on; none of them may be in the file. */
    truncate(place: number): void {
      length = Math.min(length, place - spilled)
    },
    /** Moves the values to the file, if there is one. They cannot be read before `view`. */
    settle(): void {
      if (spill === null || length === 0) return
      parts.push({ offset: spill.append(bytesOf(values.subarray(0, length))), length })
      spilled += length
      length = 0
    },
    get length() {
      return spilled + length
    },
    /** A value that is not in the file. */
    at: (place: number): number => values[place - spilled]!,
    /** The values so far, without a copy; stale after the next `push`. */
    view(): T {
      if (spilled > 0) load()
      return values.subarray(0, length) as T
    },
    /** Frees the memory. Nothing can be added afterwards. */
    free(): void {
      values = new ofLength(0)
      length = spilled = 0
      parts = []
    },
  }
}
export type NumberList = ReturnType<typeof createNumberList>

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)
