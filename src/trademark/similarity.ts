import {
  createBitParallelDistance,
  editDistanceOf,
  MAX_BIT_PARALLEL_LENGTH,
  MAX_UNITS,
  writeUnits,
  type Units,
} from './edit-distance.ts'

// Module-level scratch: a comparison never yields to another, and a search makes thousands of them.
/** For each character, its positions in the shorter string as bits. Zero between calls. */
const positions = new Int32Array(65_536)
const bitParallelDistance = createBitParallelDistance(positions)
const commonUnits = new Uint16Array(MAX_UNITS)
const takenA = new Uint8Array(MAX_UNITS)
const takenB = new Uint8Array(MAX_UNITS)

/** What four common first letters add, as a share of what is missing to 1. */
export const MAX_PREFIX_BONUS = 0.4

/** Jaro similarity, raised for up to four common first letters as Winkler does. */
function jaroWinklerOf(a: Units, aFrom: number, aTo: number, b: Units, bFrom: number, bTo: number): number {
  const m = aTo - aFrom
  const n = bTo - bFrom
  if (m === 0 || n === 0) return m === n ? 1 : 0
  // Which letters pair up may depend on the order of the arguments, so the shorter, or alphabetically first, is always `a`.
  if (m > n || (m === n && isAfter(a, aFrom, b, bFrom, m))) return jaroWinklerOf(b, bFrom, bTo, a, aFrom, aTo)
  const reach = Math.max(0, (n >> 1) - 1)
  if (m > MAX_BIT_PARALLEL_LENGTH) return raised(jaroByFlags(a, aFrom, m, b, bFrom, n, reach), a, aFrom, m, b, bFrom)
  for (let i = 0; i < m; i++) positions[a[aFrom + i]!]! |= 1 << i
  return raised(jaroByWord(a, aFrom, m, b, bFrom, n, reach), a, aFrom, m, b, bFrom)
}

function raised(share: number, a: Units, aFrom: number, m: number, b: Units, bFrom: number): number {
  let first = 0
  while (first < 4 && first < m && a[aFrom + first] === b[bFrom + first]) first++
  return share + first * (MAX_PREFIX_BONUS / 4) * (1 - share)
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

/** `positions` must hold those of `a`; it is zero afterwards. */
function jaroByWord(a: Units, aFrom: number, m: number, b: Units, bFrom: number, n: number, reach: number): number {
  let taken = 0
  let common = 0
  for (let j = 0; j < n; j++) {
    const low = j - reach
    const high = j + reach
    let within = high >= MAX_BIT_PARALLEL_LENGTH ? -1 : (2 << high) - 1
    if (low > 0) within = low > MAX_BIT_PARALLEL_LENGTH ? 0 : within & (-1 << low)
    const free = positions[b[bFrom + j]!]! & within & ~taken
    if (free === 0) continue
    taken |= free & -free
    // In the order of b; compared with the order of a below.
    commonUnits[common++] = b[bFrom + j]!
  }
  let unordered = 0
  for (let i = 0, k = 0; i < m; i++) {
    const unit = a[aFrom + i]!
    positions[unit] = 0
    if ((taken & (1 << i)) !== 0 && commonUnits[k++] !== unit) unordered++
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

/** 0 to 1: the mean of Jaro–Winkler and of the share of letters that need no edit. */
export function similarityOf(a: Units, aFrom: number, aTo: number, b: Units, bFrom: number, bTo: number): number {
  const m = aTo - aFrom
  const n = bTo - bFrom
  // The order that Jaro–Winkler needs.
  if (m > n || (m === n && isAfter(a, aFrom, b, bFrom, m))) return similarityOf(b, bFrom, bTo, a, aFrom, aTo)
  if (n === 0) return 1
  if (m === 0 || m > MAX_BIT_PARALLEL_LENGTH) {
    const edits = editDistanceOf(a, aFrom, aTo, b, bFrom, bTo)
    return (jaroWinklerOf(a, aFrom, aTo, b, bFrom, bTo) + 1 - edits / n) / 2
  }
  // Both measures need the positions of the letters of `a`.
  for (let i = 0; i < m; i++) positions[a[aFrom + i]!]! |= 1 << i
  const edits = bitParallelDistance(m, b, bFrom, bTo)
  const jaro = jaroByWord(a, aFrom, m, b, bFrom, n, Math.max(0, (n >> 1) - 1))
  return (raised(jaro, a, aFrom, m, b, bFrom) + 1 - edits / n) / 2
}

/** Upper bound of `similarityOf` for strings of these lengths. */
export function maxSimilarity(m: number, n: number): number {
  const share = Math.min(m, n) / Math.max(m, n)
  const jaro = (2 + share) / 3
  return (jaro + MAX_PREFIX_BONUS * (1 - jaro) + share) / 2 + 1e-9
}

const left: Units = new Uint16Array(MAX_UNITS)
const right: Units = new Uint16Array(MAX_UNITS)

export const jaroWinkler = (a: string, b: string): number =>
  jaroWinklerOf(left, 0, writeUnits(a, left), right, 0, writeUnits(b, right))
