import type { Columns } from './columns.ts'
import { charMask, pairMask } from './name-bytes.ts'

/** A compiled substring search. The arrays have a 1 at the id of every matching TLD. */
export type DomainPattern = {
  /** What the name must contain or end with; null if no name can match. */
  readonly name: {
    readonly bytes: Uint8Array
    readonly chars: number
    readonly pairs: number
    /** True if the mask alone decides, as for a single letter. */
    readonly isDecided: boolean
  } | null
  /** For text with a dot: the TLDs that start with the part after the dot. The name must end with the part before it. */
  readonly tldStarts: Uint8Array | null
  /** TLDs that contain the whole text; null if none does. */
  readonly tldHolds: Uint8Array | null
}

type NamePattern = NonNullable<DomainPattern['name']>

/**
 * A domain is a name without dots, a dot, and a TLD that may have more. So it contains the text if the TLD does, if the
 * name does, or if the text has its first dot where the domain has it.
 */
export function domainPattern(
  text: string,
  tlds: readonly { readonly id: number; readonly name: string }[],
): DomainPattern {
  const dot = text.indexOf('.')
  const head = dot === -1 ? text : text.slice(0, dot)
  const marks = (isGood: (tld: string) => boolean): Uint8Array => {
    const marked = new Uint8Array(0x1_0000)
    for (const { id, name } of tlds) if (isGood(name)) marked[id] = 1
    return marked
  }
  return {
    name: /^[a-z0-9-]*$/.test(head) ? namePattern(head, dot !== -1) : null,
    tldStarts: dot === -1 ? null : marks((tld) => tld.startsWith(text.slice(dot + 1))),
    tldHolds: tlds.some(({ name }) => name.includes(text)) ? marks((tld) => tld.includes(text)) : null,
  }
}

const namePattern = (head: string, isEnd: boolean): NamePattern => ({
  // A Uint8Array and not a Buffer keeps the loops monomorphic.
  bytes: Uint8Array.from(head, (character) => character.charCodeAt(0)),
  chars: charMask(head),
  pairs: pairMask(head),
  isDecided: !isEnd && /^[a-z-]$/.test(head),
})

/** Writes the positions of all matching auctions into `room`, in order, and returns their number. */
export function matchDomains(columns: Columns, bytes: Uint8Array, pattern: DomainPattern, room: Uint32Array): number {
  const { name, tldHolds } = pattern
  if (tldHolds !== null) return findTldsAndNames(columns, bytes, pattern, tldHolds, room)
  if (name === null) return 0
  const count = findMasked(columns, name, room)
  return name.isDecided ? count : keepNamed(columns, bytes, pattern, room, count)
}

/** Scans only the two mask columns: this loop runs over every auction. */
function findMasked({ size, ...columns }: Columns, name: NamePattern, room: Uint32Array): number {
  // Bitwise operators return signed integers, so the columns are viewed as Int32Array.
  const chars = new Int32Array(columns.chars.buffer, 0, size)
  const pairs = new Int32Array(columns.pairs.buffer, 0, size)
  const wantedChars = name.chars | 0
  const wantedPairs = name.pairs | 0
  let count = 0
  for (let place = 0; place < size; place++) {
    if ((chars[place]! & wantedChars) === wantedChars && (pairs[place]! & wantedPairs) === wantedPairs)
      room[count++] = place
  }
  return count
}

function keepNamed(columns: Columns, bytes: Uint8Array, pattern: DomainPattern, room: Uint32Array, count: number) {
  const { nameAt, tld } = columns
  const { tldStarts } = pattern
  const wanted = pattern.name!.bytes
  let kept = 0
  for (let each = 0; each < count; each++) {
    const place = room[each]!
    const isFound =
      tldStarts === null
        ? contains(bytes, nameAt[place]!, wanted)
        : tldStarts[tld[place]!] === 1 && endsWith(bytes, nameAt[place]!, wanted)
    if (isFound) room[kept++] = place
  }
  return kept
}

/** Slower path for the rare text that is part of a TLD: it checks every row. */
function findTldsAndNames(
  columns: Columns,
  bytes: Uint8Array,
  pattern: DomainPattern,
  tldHolds: Uint8Array,
  room: Uint32Array,
): number {
  const { size, tld } = columns
  const named = pattern.name === null ? 0 : matchDomains(columns, bytes, { ...pattern, tldHolds: null }, room)
  const isNamed = new Uint8Array(size)
  for (let each = 0; each < named; each++) isNamed[room[each]!] = 1
  let count = 0
  for (let place = 0; place < size; place++) {
    if (isNamed[place] === 1 || tldHolds[tld[place]!] === 1) room[count++] = place
  }
  return count
}

function contains(bytes: Uint8Array, offset: number, wanted: Uint8Array): boolean {
  const first = wanted[0]
  const last = offset + 1 + bytes[offset]! - wanted.length
  for (let from = offset + 1; from <= last; from++) {
    if (bytes[from] === first && isAt(bytes, from, wanted)) return true
  }
  return false
}

function endsWith(bytes: Uint8Array, offset: number, wanted: Uint8Array): boolean {
  const length = bytes[offset]!
  return wanted.length <= length && isAt(bytes, offset + 1 + length - wanted.length, wanted)
}

function isAt(bytes: Uint8Array, from: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false
  return true
}
