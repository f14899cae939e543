import { MalformedMessage } from './message.ts'

/** Bytes, the read offset, and the names decoded so far by offset. */
export type ByteReader = { readonly bytes: Uint8Array; at: number; readonly names: Map<number, Name> }

type Name = {
  readonly text: string
  /** Uncompressed length in bytes. */
  readonly length: number
  /** Offset after the name. */
  readonly end: number
}

export const createReader = (bytes: Uint8Array, at = 0): ByteReader => ({ bytes, at, names: new Map() })

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
  const { text, end } = readAt(reader, reader.at, keepCase, 0)
  reader.at = end
  return text
}

function readAt({ bytes, names }: ByteReader, start: number, keepCase: boolean, pointers: number): Name {
  const key = keepCase ? -1 - start : start
  const known = names.get(key)
  if (known) return known
  let at = start
  let length = 1
  let text = ''
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
      const target = ((size & 0x3f) << 8) | low
      if (target >= start) throw new MalformedMessage('a name points forwards')
      if (pointers === MAX_POINTERS) throw new MalformedMessage('a name has too many pointers')
      const tail = readAt({ bytes, at, names }, target, keepCase, pointers + 1)
      length += tail.length - 1
      if (text === '' || tail.text === '') text += tail.text
      else text += `.${tail.text}`
      at += 2
      break
    }
    if (size > MAX_LABEL_BYTES) throw new MalformedMessage('a label has an unknown type')
    length += size + 1
    if (length > MAX_NAME_BYTES) break
    if (at + size >= bytes.length) throw new MalformedMessage('a name runs past the end')
    if (text !== '') text += '.'
    text += readLabel(bytes, at + 1, at + 1 + size, keepCase)
    at += size + 1
  }
  if (length > MAX_NAME_BYTES) throw new MalformedMessage('a name is longer than 255 bytes')
  const name = { text, length, end: at }
  names.set(key, name)
  return name
}

function readLabel(bytes: Uint8Array, start: number, end: number, keepCase: boolean): string {
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte <= 0x20 || byte >= 0x7f) text += `\\${String(byte).padStart(3, '0')}`
    else if (byte === DOT || byte === BACKSLASH) text += `\\${String.fromCharCode(byte)}`
    else text += String.fromCharCode(keepCase ? byte : lower(byte))
  }
  return text
}

/**
 * Writes a name without compression, at most 255 bytes, and returns the offset after it. Throws a RangeError if the
 * text is not a valid name.
 */
export function writeName(name: string, target: Uint8Array, start: number): number {
  const wrong = (why: string) => new RangeError(`${JSON.stringify(name.slice(0, 300))} is not a DNS name: ${why}`)
  let at = start + 1
  let label = start
  const endLabel = () => {
    const size = at - label - 1
    if (size === 0) throw wrong('a label is empty')
    if (size > MAX_LABEL_BYTES) throw wrong('a label is longer than 63 bytes')
    target[label] = size
    label = at++
  }
  for (let from = name === '.' ? 1 : 0; from < name.length; from++) {
    let byte = name.charCodeAt(from)
    if (byte === DOT) {
      endLabel()
      continue
    }
    if (byte === BACKSLASH) {
      const decimal = /^\d{3}/.exec(name.slice(from + 1, from + 4))?.[0]
      byte = decimal === undefined ? name.charCodeAt(from + 1) : Number(decimal)
      from += decimal === undefined ? 1 : 3
    }
    // NaN if a backslash is the last character.
    if (!(byte <= 0xff)) throw wrong('it has a character above U+00FF, or ends with a backslash')
    // The last byte is reserved for the root label.
    if (at - start >= MAX_NAME_BYTES - 1) throw wrong('it is longer than 255 bytes')
    target[at++] = byte
  }
  if (at > label + 1) endLabel()
  target[label] = 0
  return label + 1
}

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
