/** A growable Uint32Array; a plain array of numbers takes several times the memory. */
export function createNumberList() {
  let values = new Uint32Array(4)
  let length = 0
  return {
    push(value: number): void {
      if (length === values.length) {
        const larger = new Uint32Array(length * 2)
        larger.set(values)
        values = larger
      }
      values[length++] = value
    },
    get length() {
      return length
    },
    at: (place: number): number => values[place]!,
    /** The values so far, without a copy; stale after the next `push`. */
    view: (): Uint32Array => values.subarray(0, length),
    /** A copy of the values. */
    done: (): Uint32Array => values.slice(0, length),
  }
}
export type NumberList = ReturnType<typeof createNumberList>
