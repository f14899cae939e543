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
  readonly tldContains: Uint8Array | null
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
  const tldFlags = (matches: (tld: string) => boolean): Uint8Array => {
    const flags = new Uint8Array(0x1_0000)
    for (const { id, name } of tlds) if (matches(name)) flags[id] = 1
    return flags
  }
  return {
    name: /^[a-z0-9-]*$/.test(head) ? namePattern(head, dot !== -1) : null,
    tldStarts: dot === -1 ? null : tldFlags((tld) => tld.startsWith(text.slice(dot + 1))),
    tldContains: tlds.some(({ name }) => name.includes(text)) ? tldFlags((tld) => tld.includes(text)) : null,
  }
}

const namePattern = (head: string, isEnd: boolean): NamePattern => ({
  // A Uint8Array and not a Buffer keeps the loops monomorphic.
  bytes: Uint8Array.from(head, (character) => character.charCodeAt(0)),
  chars: charMask(head),
  pairs: pairMask(head),
  isDecided: !isEnd && /^[a-z-]$/.test(head),
})

/** Writes the positions of all matching auctions into `buffer`, in order, and returns their number. */
export function matchDomains(columns: Columns, bytes: Uint8Array, pattern: DomainPattern, buffer: Uint32Array): number {
  const { name, tldContains } = pattern
  if (tldContains !== null) return findTldsAndNames(columns, bytes, pattern, tldContains, buffer)
  if (name === null) return 0
  const count = findByMask(columns, name, buffer)
  return name.isDecided ? count : keepMatchingNames(columns, bytes, pattern, buffer, count)
}

/** Scans only the two mask columns: this loop runs over every auction. */
function findByMask({ size, ...columns }: Columns, name: NamePattern, buffer: Uint32Array): number {
  // Bitwise operators return signed integers, so the columns are viewed as Int32Array.
  const chars = new Int32Array(columns.chars.buffer, 0, size)
  const pairs = new Int32Array(columns.pairs.buffer, 0, size)
  const wantedChars = name.chars | 0
  const wantedPairs = name.pairs | 0
  let count = 0
  for (let position = 0; position < size; position++) {
    if ((chars[position]! & wantedChars) === wantedChars && (pairs[position]! & wantedPairs) === wantedPairs)
      buffer[count++] = position
  }
  return count
}

function keepMatchingNames(
  columns: Columns,
  bytes: Uint8Array,
  pattern: DomainPattern,
  buffer: Uint32Array,
  count: number,
) {
  const { nameAt, tld } = columns
  const { tldStarts } = pattern
  const wanted = pattern.name!.bytes
  let kept = 0
  for (let at = 0; at < count; at++) {
    const position = buffer[at]!
    const isFound =
      tldStarts === null
        ? contains(bytes, nameAt[position]!, wanted)
        : tldStarts[tld[position]!] === 1 && endsWith(bytes, nameAt[position]!, wanted)
    if (isFound) buffer[kept++] = position
  }
  return kept
}

/** Slower path for the rare text that is part of a TLD: it checks every row. */
function findTldsAndNames(
  columns: Columns,
  bytes: Uint8Array,
  pattern: DomainPattern,
  tldContains: Uint8Array,
  buffer: Uint32Array,
): number {
  const { size, tld } = columns
  const named = pattern.name === null ? 0 : matchDomains(columns, bytes, { ...pattern, tldContains: null }, buffer)
  const isNamed = new Uint8Array(size)
  for (let at = 0; at < named; at++) isNamed[buffer[at]!] = 1
  let count = 0
  for (let position = 0; position < size; position++) {
    if (isNamed[position] === 1 || tldContains[tld[position]!] === 1) buffer[count++] = position
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
