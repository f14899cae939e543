import { MalformedMessage } from './message.ts'

/** Bytes, the read offset, and the names decoded so far that may be pointed at. */
export type ByteReader = {
  readonly bytes: Uint8Array
  at: number
  /** The name at the start of most answers: nearly every pointer leads to it. */
  first: Name | null
  /** Names reached through a pointer, by offset; null until there is one that is not `first`. */
  targets: Map<number, Name> | null
}

type Name = {
  readonly start: number
  readonly text: string
  /** Uncompressed length in bytes. */
  readonly length: number
  /** Offset after the name. */
  readonly end: number
}

export const createReader = (bytes: Uint8Array, at = 0): ByteReader => ({ bytes, at, first: null, targets: null })

export const MAX_NAME_BYTES = 255
const MAX_LABEL_BYTES = 63
/** A name of 255 bytes has at most 127 labels; more pointers than that are an attack. */
const MAX_POINTERS = 127

const DOT = 0x2e
const BACKSLASH = 0x5c

/**
 * Reads a name, following compression pointers. Pointers must lead backwards, so there are no loops. Each target is
 * decoded once, so time is linear in the message's length.
 * A dot or backslash inside a label is escaped as `\.` or `\\`, an unprintable byte as `\ddd`.
 */
export function readName(reader: ByteReader, keepCase = false): string {
  const name = readAt(reader, reader.at, keepCase, 0)
  reader.at = name.end
  if (!keepCase) reader.first ??= name
  return name.text
}

function readTarget(reader: ByteReader, start: number, keepCase: boolean, pointers: number): Name {
  if (reader.first?.start === start && !keepCase) return reader.first
  const key = keepCase ? -1 - start : start
  reader.targets ??= new Map()
  const known = reader.targets.get(key)
  if (known) return known
  const name = readAt(reader, start, keepCase, pointers)
  reader.targets.set(key, name)
  return name
}

/** Scratch for the characters of a name before its pointer, which are at most four times its bytes when escaped. */
const characters = Buffer.alloc(4 * MAX_NAME_BYTES)

function readAt(reader: ByteReader, start: number, keepCase: boolean, pointers: number): Name {
  const { bytes } = reader
  let at = start
  let length = 1
  let used = 0
  let target = -1
  for (;;) {
    const size = bytes[at]
    if (size === undefined) throw new MalformedMessage('a name runs past the end')
    if (size === 0) {
      at++
      break
    }
    if (size >= 0xc0) {
      const low = bytes[at + 1]
      if (low === undefined) throw new MalformedMessage('a name runs past the end')
      target = ((size & 0x3f) << 8) | low
      if (target >= start) throw new MalformedMessage('a name points forwards')
      if (pointers === MAX_POINTERS) throw new MalformedMessage('a name has too many pointers')
      at += 2
      break
    }
    if (size > MAX_LABEL_BYTES) throw new MalformedMessage('a label has an unknown type')
    length += size + 1
    if (length > MAX_NAME_BYTES) throw new MalformedMessage('a name is longer than 255 bytes')
    if (at + size >= bytes.length) throw new MalformedMessage('a name runs past the end')
    if (used > 0) characters[used++] = DOT
    used = readLabel(bytes, at + 1, at + 1 + size, keepCase, used)
    at += size + 1
  }
  // Before the tail, which uses the same scratch.
  let text = used === 0 ? '' : characters.toString('latin1', 0, used)
  if (target !== -1) {
    const tail = readTarget(reader, target, keepCase, pointers + 1)
    length += tail.length - 1
    if (length > MAX_NAME_BYTES) throw new MalformedMessage('a name is longer than 255 bytes')
    text = text === '' || tail.text === '' ? text + tail.text : `${text}.${tail.text}`
  }
  return { start, text, length, end: at }
}

/** Appends the label's characters to the scratch after the `used` ones, and returns how many are used then. */
function readLabel(bytes: Uint8Array, start: number, end: number, keepCase: boolean, used: number): number {
  let to = used
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte <= 0x20 || byte >= 0x7f) to += characters.write(`\\${String(byte).padStart(3, '0')}`, to, 'latin1')
    else {
      if (byte === DOT || byte === BACKSLASH) characters[to++] = BACKSLASH
      characters[to++] = keepCase ? byte : lower(byte)
    }
  }
  return to
}

/**
 * Writes a name without compression, at most 255 bytes, and returns the offset after it. Throws a RangeError if the
 * text is not a valid name.
 */
export function writeName(name: string, target: Uint8Array, start: number): number {
  let label = start
  let at = start + 1
  for (let from = name === '.' ? 1 : 0; from < name.length; from++) {
    let byte = name.charCodeAt(from)
    if (byte === DOT) {
      writeLabelLength(name, target, label, at)
      label = at++
      continue
    }
    if (byte === BACKSLASH) {
      const decimal = /^\d{3}/.exec(name.slice(from + 1, from + 4))?.[0]
      byte = decimal === undefined ? name.charCodeAt(from + 1) : Number(decimal)
      from += decimal === undefined ? 1 : 3
    }
    // NaN if a backslash is the last character.
    if (!(byte <= 0xff)) throw invalidName(name, 'it has a character above U+00FF, or ends with a backslash')
    // The last byte is reserved for the root label.
    if (at - start >= MAX_NAME_BYTES - 1) throw invalidName(name, 'it is longer than 255 bytes')
    target[at++] = byte
  }
  if (at > label + 1) {
    writeLabelLength(name, target, label, at)
    label = at
  }
  target[label] = 0
  return label + 1
}

function writeLabelLength(name: string, target: Uint8Array, label: number, end: number): void {
  const size = end - label - 1
  if (size === 0) throw invalidName(name, 'a label is empty')
  if (size > MAX_LABEL_BYTES) throw invalidName(name, 'a label is longer than 63 bytes')
  target[label] = size
}

const invalidName = (name: string, why: string): RangeError =>
  new RangeError(`${JSON.stringify(name.slice(0, 300))} is not a DNS name: ${why}`)

/** The name in wire format, without compression. */
export function encodeName(name: string): Buffer {
  const bytes = Buffer.alloc(MAX_NAME_BYTES + 1)
  return bytes.subarray(0, writeName(name, bytes, 0))
}

/** The bytes of each label. */
export function nameLabels(name: string): Buffer[] {
  const wire = encodeName(name)
  const labels: Buffer[] = []
  for (let at = 0; wire[at]! > 0; at += wire[at]! + 1) labels.push(wire.subarray(at + 1, at + 1 + wire[at]!))
  return labels
}

/** ASCII lower case; other bytes unchanged. DNS compares names this way. */
export const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte)

/** Whether `name` is `zone` or below it; both in lower case. */
export function isWithin(name: string, zone: string): boolean {
  if (zone === '' || name === zone) return true
  const dot = name.length - zone.length - 1
  if (dot < 1 || name.charCodeAt(dot) !== DOT || !name.endsWith(zone)) return false
  // An escaped dot is part of a label.
  return name.charCodeAt(dot - 1) !== BACKSLASH || !/(?<!\\)(?:\\\\)*\\$/.test(name.slice(0, dot))
}
