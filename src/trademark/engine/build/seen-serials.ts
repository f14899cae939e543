/** Serial numbers have eight digits. */
const ALL = 100_000_000

/** Which serial numbers may have been taken in: looking for each of a new register's millions in its records takes time. */
export type SerialFilter = {
  /** False where it certainly was not. */
  mayContain(serial: number): boolean
  add(serial: number): void
}

/** Knows nothing where there are records already, and then says that any may be among them. */
export function createSerialFilter(isEmpty: boolean): SerialFilter {
  const bits = new Uint8Array(isEmpty ? ALL / 8 : 0)
  const isKept = (serial: number) => isEmpty && serial >= 0 && serial < ALL
  return {
    mayContain: (serial) => !isKept(serial) || (bits[serial >>> 3]! & (1 << (serial & 7))) !== 0,
    add(serial) {
      if (isKept(serial)) bits[serial >>> 3]! |= 1 << (serial & 7)
    },
  }
}
