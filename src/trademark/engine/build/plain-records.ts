import { ELEMENTS } from '../../sources/office-xml/tags.ts'
import type { PlainReader } from '../../sources/office-xml/split.ts'
import { instantiate } from '../wasm/instantiate.ts'

type Global = { value: number }
/** Exports of `records.wat`, which describes them. */
type WasmRecords = Readonly<Record<'texts' | 'statements' | 'out' | 'count' | 'maxCount', Global>> & {
  slot(name: number, length: number): number
  read(at: number, end: number): number
}

const [NAMES, NAME_BYTES, NAME_LENGTH, IS_GROUP, ENDS] = [0x200, 64, 56, 60, 0x2000]
const MAX_RECORDS = 1 << 15
const INPUT = ENDS + 4 * MAX_RECORDS
/** Longer input is left to the caller. */
const MAX_INPUT_BYTES = 1 << 20
/** The module reads and writes a little beyond the end of each area. */
const SLACK_BYTES = 64
const AREA_BYTES = MAX_INPUT_BYTES + SLACK_BYTES

/**
 * Reads plain records in WebAssembly, many times faster than `extractRecord`, and encodes them as `encodeBody` does. The bodies
 * are collected one after the other, together with those that the caller adds, until `take`.
 */
export function createPlainRecords() {
  const out = INPUT + 3 * AREA_BYTES
  // A body is shorter than its XML, and the rest of the area is for what is there already.
  const outEnd = out + 2 * AREA_BYTES
  const { exports, memory } = instantiate('records', outEnd)
  const wasm = exports as WasmRecords
  const bytes = Buffer.from(memory)
  const ends = new Uint32Array(memory, ENDS, MAX_RECORDS)
  wasm.texts.value = INPUT + AREA_BYTES
  wasm.statements.value = INPUT + 2 * AREA_BYTES
  wasm.maxCount.value = MAX_RECORDS
  wasm.out.value = out
  for (const { name, tag, isGroup } of ELEMENTS) {
    const at = NAMES + tag * NAME_BYTES
    bytes.write(name, at, 'latin1')
    bytes.writeUInt32LE(name.length, at + NAME_LENGTH)
    bytes.writeUInt32LE(isGroup ? 1 : 0, at + IS_GROUP)
    const slot = wasm.slot(at, name.length)
    if (bytes[slot] !== 0) throw new Error(`${name} shares its hash slot with another element`)
    bytes[slot] = tag
  }
  let loaded: Buffer | null = null
  let count = 0

  const plain: PlainReader = {
    read(chunk, at) {
      count = 0
      // The bodies must fit behind those that were not taken yet.
      if (chunk.length > MAX_INPUT_BYTES || chunk.length - at > outEnd - SLACK_BYTES - wasm.out.value) return at
      if (loaded !== chunk) {
        bytes.set(chunk, INPUT)
        bytes[INPUT + chunk.length] = 0x3c
        bytes.fill(0, INPUT + chunk.length + 1, INPUT + chunk.length + 17)
        loaded = chunk
      }
      const before = wasm.count.value
      const end = wasm.read(INPUT + at, INPUT + chunk.length) - INPUT
      count = wasm.count.value - before
      return end
    },
    count: () => count,
  }

  return {
    plain,
    /** Adds a body that `write` encodes at the offset it gets, in at most `maxBytes`. False if there is no space. */
    add(maxBytes: number, write: (into: Buffer, begin: number) => number): boolean {
      if (wasm.out.value + maxBytes > outEnd || wasm.count.value === MAX_RECORDS) return false
      wasm.out.value = write(bytes, wasm.out.value)
      ends[wasm.count.value++] = wasm.out.value
      return true
    },
    /** Bodies, and their bytes, since the last `take`. */
    size: () => ({ records: wasm.count.value, bytes: wasm.out.value - out }),
    take(): { bytes: Uint8Array<ArrayBuffer>; ends: Uint32Array<ArrayBuffer> } {
      const taken = {
        bytes: new Uint8Array(memory.slice(out, wasm.out.value)),
        ends: ends.slice(0, wasm.count.value).map((end) => end - out),
      }
      wasm.out.value = out
      wasm.count.value = 0
      return taken
    },
  }
}
