/** Serial numbers have eight digits. */
const SERIALS = 100_000_000

/** A bitmap of imported serial numbers: saves millions of lookups in the record store when a new register is imported. */
export type SerialFilter = {
  /** False only if the serial number was certainly not imported. */
  mayContain(serial: number): boolean
  add(serial: number): void
}

/** If the store already has records, the filter is off and `mayContain` is always true. */
export function createSerialFilter(isEmpty: boolean): SerialFilter {
  const bits = new Uint8Array(isEmpty ? SERIALS / 8 : 0)
  const isKept = (serial: number) => isEmpty && serial >= 0 && serial < SERIALS
  return {
    mayContain: (serial) => !isKept(serial) || (bits[serial >>> 3]! & (1 << (serial & 7))) !== 0,
    add(serial) {
      if (isKept(serial)) bits[serial >>> 3]! |= 1 << (serial & 7)
    },
  }
}
