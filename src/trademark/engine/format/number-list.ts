/** Grows as it is filled; a plain array of numbers would cost several times the memory. */
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
    /** What is in it so far, where it lies. */
    view: (): Uint32Array => values.subarray(0, length),
    done: (): Uint32Array => values.slice(0, length),
  }
}
export type NumberList = ReturnType<typeof createNumberList>
