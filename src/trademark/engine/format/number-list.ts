/** A growable array of 32-bit numbers; a plain array of numbers takes several times the memory. */
export const createNumberList = () => createList(Uint32Array)

/** The same for numbers below 256. */
export const createByteList = () => createList(Uint8Array)

function createList<T extends Uint8Array | Uint32Array>(ofLength: new (length: number) => T) {
  let values = new ofLength(4)
  let length = 0
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new ofLength(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    /** Removes all values from this place on. */
    truncate(place: number): void {
      length = Math.min(length, place)
    },
    get length() {
      return length
    },
    at: (place: number): number => values[place]!,
    /** The values so far, without a copy; stale after the next `push`. */
    view: (): T => values.subarray(0, length) as T,
    /** A copy of the values. */
    done: (): T => values.slice(0, length) as T,
    /** Frees the memory. Nothing can be added afterwards. */
    free(): void {
      values = new ofLength(0)
      length = 0
    },
  }
}
export type NumberList = ReturnType<typeof createNumberList>
