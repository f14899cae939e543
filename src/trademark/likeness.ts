/**
 * The two measures of how alike two spellings are, over ranges of code units so that the many comparisons of one search
 * make no garbage. Both use one machine word as a row of the classic table where the shorter spelling fits into it.
 */
export type Units = Uint16Array

const WORD = 31
/** Longer spellings are compared by their beginnings. */
export const LONGEST = 256

/** For each character, the places of the shorter spelling where it stands. Zero between calls. */
const places = new Int32Array(65_536)
const rows = [new Uint16Array(LONGEST + 1), new Uint16Array(LONGEST + 1), new Uint16Array(LONGEST + 1)] as const
const takenA = new Uint8Array(LONGEST)
const takenB = new Uint8Array(LONGEST)

/** Writes a spelling down at `at` and returns where it ends. */
export function writeUnits(text: string, into: Units, at = 0): number {
  const length = Math.min(text.length, into.length - at)
  for (let i = 0; i < length; i++) into[at + i] = text.charCodeAt(i)
  return at + length
}

/**
 * Insertions, deletions, replacements and swaps of neighbours between a[aFrom, aTo) and b[bFrom, bTo): optimal string
 * alignment, by Hyyrö's bit-parallel recurrence.
 */
function osaOf(a: Units, aFrom: number, aTo: number, b: Units, bFrom: number, bTo: number): number {
  // What both begin and end with costs nothing.
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
    aFrom++
    bFrom++
  }
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
    aTo--
    bTo--
  }
  const m = aTo - aFrom
  const n = bTo - bFrom
  if (m > n) return osaOf(b, bFrom, bTo, a, aFrom, aTo)
  if (m === 0) return n
  if (m > WORD) return osaByTable(a, aFrom, m, b, bFrom, n)
  for (let i = 0; i < m; i++) places[a[aFrom + i]!]! |= 1 << i
  const last = 1 << (m - 1)
  let up = -1
  let down = 0
  let same = 0
  let before = 0
  let distance = m
  for (let j = bFrom; j < bTo; j++) {
    const here = places[b[j]!]!
    const swapped = ((~same & here) << 1) & before
    same = (((here & up) + up) ^ up) | here | down | swapped
    const more = down | ~(same | up)
    const less = same & up
    if ((more & last) !== 0) distance++
    else if ((less & last) !== 0) distance--
    const shifted = (more << 1) | 1
    up = (less << 1) | ~(same | shifted)
    down = shifted & same
    before = here
  }
  for (let i = 0; i < m; i++) places[a[aFrom + i]!] = 0
  return distance
}

function osaByTable(a: Units, aFrom: number, m: number, b: Units, bFrom: number, n: number): number {
  let [older, old, row] = rows as readonly [Uint16Array, Uint16Array, Uint16Array]
  for (let j = 0; j <= n; j++) old[j] = j
  for (let i = 1; i <= m; i++) {
    const unit = a[aFrom + i - 1]
    row[0] = i
    for (let j = 1; j <= n; j++) {
      const other = b[bFrom + j - 1]
      let cost = old[j - 1]! + (unit === other ? 0 : 1)
      if (old[j]! + 1 < cost) cost = old[j]! + 1
      if (row[j - 1]! + 1 < cost) cost = row[j - 1]! + 1
      if (i > 1 && j > 1 && unit === b[bFrom + j - 2] && a[aFrom + i - 2] === other && older[j - 2]! + 1 < cost)
        cost = older[j - 2]! + 1
      row[j] = cost
    }
    const spare = older
    older = old
    old = row
    row = spare
  }
  return old[n]!
}

/** Jaro's share of common letters in common order, raised for up to four common first letters as Winkler does. */
function jaroWinklerOf(a: Units, aFrom: number, aTo: number, b: Units, bFrom: number, bTo: number): number {
  const m = aTo - aFrom
  const n = bTo - bFrom
  if (m === 0 || n === 0) return m === n ? 1 : 0
  // Which letters pair up may depend on whose turn it is: the shorter, or the earlier in the alphabet, is always `a`.
  if (m > n || (m === n && isAfter(a, aFrom, b, bFrom, m))) return jaroWinklerOf(b, bFrom, bTo, a, aFrom, aTo)
  const reach = Math.max(0, (n >> 1) - 1)
  const share = m <= WORD ? jaroByWord(a, aFrom, m, b, bFrom, n, reach) : jaroByFlags(a, aFrom, m, b, bFrom, n, reach)
  let first = 0
  while (first < 4 && first < m && a[aFrom + first] === b[bFrom + first]) first++
  return share + first * 0.1 * (1 - share)
}

function isAfter(a: Units, aFrom: number, b: Units, bFrom: number, length: number): boolean {
  for (let i = 0; i < length; i++) {
    const order = a[aFrom + i]! - b[bFrom + i]!
    if (order !== 0) return order > 0
  }
  return false
}

const jaro = (common: number, unordered: number, m: number, n: number): number =>
  common === 0 ? 0 : (common / m + common / n + (common - unordered / 2) / common) / 3

function jaroByWord(a: Units, aFrom: number, m: number, b: Units, bFrom: number, n: number, reach: number): number {
  for (let i = 0; i < m; i++) places[a[aFrom + i]!]! |= 1 << i
  let taken = 0
  let common = 0
  for (let j = 0; j < n; j++) {
    const low = j - reach
    const high = j + reach
    let within = high >= WORD ? -1 : (2 << high) - 1
    if (low > 0) within = low > WORD ? 0 : within & (-1 << low)
    const free = places[b[bFrom + j]!]! & within & ~taken
    if (free === 0) continue
    taken |= free & -free
    // In the order of b, to be compared with the order of a below.
    rows[0][common++] = b[bFrom + j]!
  }
  let unordered = 0
  for (let i = 0, k = 0; i < m; i++) {
    const unit = a[aFrom + i]!
    places[unit] = 0
    if ((taken & (1 << i)) !== 0 && rows[0][k++] !== unit) unordered++
  }
  return jaro(common, unordered, m, n)
}

function jaroByFlags(a: Units, aFrom: number, m: number, b: Units, bFrom: number, n: number, reach: number): number {
  takenA.fill(0, 0, m)
  takenB.fill(0, 0, n)
  let common = 0
  for (let j = 0; j < n; j++) {
    const end = Math.min(m, j + reach + 1)
    for (let i = Math.max(0, j - reach); i < end; i++) {
      if (takenA[i] === 1 || a[aFrom + i] !== b[bFrom + j]) continue
      takenA[i] = 1
      takenB[j] = 1
      common++
      break
    }
  }
  let unordered = 0
  for (let i = 0, j = 0; i < m; i++) {
    if (takenA[i] === 0) continue
    while (takenB[j] === 0) j++
    if (a[aFrom + i] !== b[bFrom + j++]) unordered++
  }
  return jaro(common, unordered, m, n)
}

/** Between 0 and 1: half Jaro–Winkler, half the share of letters that need no edit. */
export function likenessOf(a: Units, aFrom: number, aTo: number, b: Units, bFrom: number, bTo: number): number {
  const longest = Math.max(aTo - aFrom, bTo - bFrom)
  if (longest === 0) return 1
  const edits = osaOf(a, aFrom, aTo, b, bFrom, bTo)
  return (jaroWinklerOf(a, aFrom, aTo, b, bFrom, bTo) + 1 - edits / longest) / 2
}

/** No two spellings of these lengths are more alike than this. */
export function mostAlike(m: number, n: number): number {
  const share = Math.min(m, n) / Math.max(m, n)
  const jaro = (2 + share) / 3
  return (jaro + 0.4 * (1 - jaro) + share) / 2 + 1e-9
}

const left: Units = new Uint16Array(LONGEST)
const right: Units = new Uint16Array(LONGEST)

/** The same of two texts, by their UTF-16 code units; only the first 256 of each count. */
export const osaDistance = (a: string, b: string): number =>
  osaOf(left, 0, writeUnits(a, left), right, 0, writeUnits(b, right))

export const jaroWinkler = (a: string, b: string): number =>
  jaroWinklerOf(left, 0, writeUnits(a, left), right, 0, writeUnits(b, right))
