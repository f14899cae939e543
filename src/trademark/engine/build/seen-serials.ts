/** Serial numbers have eight digits. */
const ALL = 100_000_000

/** Which serial numbers may have been taken in: looking for each of a new register's millions in its records takes time. */
export type Serials = {
  /** False where it certainly was not. */
  mayHave(serial: number): boolean
  add(serial: number): void
}

/** Knows nothing where there are records already, and then says that any may be among them. */
export function createSerials(isEmpty: boolean): Serials {
  const bits = new Uint8Array(isEmpty ? ALL / 8 : 0)
  const isKept = (serial: number) => isEmpty && serial >= 0 && serial < ALL
  return {
    mayHave: (serial) => !isKept(serial) || (bits[serial >>> 3]! & (1 << (serial & 7))) !== 0,
    add(serial) {
      if (isKept(serial)) bits[serial >>> 3]! |= 1 << (serial & 7)
    },
  }
}
