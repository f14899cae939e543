/**
 * Double Metaphone, the algorithm of Lawrence Philips, for words of the letters a to z. Written for an import, which encodes
 * millions of words: each letter has a function of its own, because V8 compiles one function of a thousand lines dozens of
 * times, and the word is an array of letter bits, so that a set of letters is tested at once and no strings are made.
 */

/** A set of letters as bits. */
const setOf = (letters: string) => Array.from(letters).reduce((set, one) => set | (1 << (one.charCodeAt(0) - 97)), 0)
const [A, B, C, D, E, G, H, I, J, K, L, M] = Array.from('abcdeghijklm', setOf) as Twelve
const [N, O, P, Q, R, S, T, U, W, X, Y, Z] = Array.from('nopqrstuwxyz', setOf) as Twelve
type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number]
/** Follows the last letter. */
const END = 1 << 26
const VOWEL = setOf('aeiouy')
const SOFTENING = setOf('eiy')

/** Places around the word, so that rules may look back and ahead without a check. */
const [BEFORE, AFTER] = [4, 8]
/** The word that is being encoded, and its codes so far. Module-level scratch: encoding never yields to another word. */
let word = new Int32Array(BEFORE + 64 + AFTER)
let length = 0
let isSlavoGermanic = false
let isGermanic = false
const codes = { primary: '', alternate: '' }

const letter = (at: number) => word[BEFORE + at]!
const is = (at: number, set: number) => (word[BEFORE + at]! & set) !== 0
function has(at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (letter(at + i) !== 1 << (text.charCodeAt(i) - 97)) return false
  return true
}

function put(primary: string, alternate = primary): void {
  codes.primary += primary
  codes.alternate += alternate
}

/** Adds the codes and returns the number of letters they stand for. */
function sound(letters: number, primary: string, alternate = primary): number {
  put(primary, alternate)
  return letters
}

/** The letter, which may be doubled. */
const single = (at: number, primary: string, doubled: number) => sound(is(at + 1, doubled) ? 2 : 1, primary)

export function doubleMetaphone(text: string): [primary: string, alternate: string] {
  load(text)
  codes.primary = codes.alternate = ''
  let at = has(0, 'gn') || has(0, 'kn') || has(0, 'pn') || has(0, 'wr') || has(0, 'ps') ? 1 : 0
  if (is(0, X)) at = sound(1, 'S')
  while (at < length) at += soundAt(at)
  return [codes.primary, codes.alternate]
}

function load(text: string): void {
  length = text.length
  if (word.length < BEFORE + length + AFTER) word = new Int32Array(BEFORE + 2 * length + AFTER)
  isSlavoGermanic = false
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at)
    word[BEFORE + at] = unit >= 97 && unit <= 122 ? 1 << (unit - 97) : 0
    isSlavoGermanic ||= is(at, W | K) || (is(at, Z) && is(at - 1, C))
  }
  word.fill(END, BEFORE + length, BEFORE + length + AFTER)
  isGermanic = has(0, 'sch') || (length === 3 && (has(0, 'van') || has(0, 'von')))
}

/** Encodes the sound at this letter and returns the number of letters it takes. */
function soundAt(at: number): number {
  switch (letter(at)) {
    case C:
      return soundOfC(at)
    case D:
      // EDGE, EDGAR.
      if (is(at + 1, G)) return is(at + 2, SOFTENING) ? sound(3, 'J') : sound(2, 'TK')
      return single(at, 'T', T | D)
    case G:
      return is(at + 1, H) ? soundOfGh(at) : soundOfG(at)
    case H:
      // Only before a vowel, at the start or after another vowel.
      return is(at + 1, VOWEL) && (at === 0 || is(at - 1, VOWEL)) ? sound(2, 'H') : 1
    case J:
      return soundOfJ(at)
    case L:
      return soundOfL(at)
    case M:
      return isSilentB(at + 1) ? sound(2, 'M') : single(at, 'M', M)
    case P:
      // CAMPBELL, RASPBERRY.
      return is(at + 1, H) ? sound(2, 'F') : single(at, 'P', P | B)
    case R:
      return soundOfR(at)
    case S:
      return soundOfS(at)
    case T:
      return soundOfT(at)
    case W:
      return soundOfW(at)
    case X:
      return soundOfX(at)
    case Z:
      return soundOfZ(at)
    default:
      return soundOfOther(at)
  }
}

/** Letters that always sound the same: b, f, k, n, q, v. */
const SAME = Array.from(' P   F    K  N  K    F    ')

function soundOfOther(at: number): number {
  // A vowel counts only at the start.
  if (is(at, VOWEL)) return at === 0 ? sound(1, 'A') : 1
  const code = SAME[31 - Math.clz32(letter(at))]
  return code === undefined ? 1 : single(at, code, letter(at))
}

function soundOfC(at: number): number {
  // BACHER, MACHER and other Germanic words.
  if (is(at - 1, A) && is(at + 1, H) && !is(at + 2, I) && !is(at - 2, VOWEL))
    if (!is(at + 2, E) || has(at - 2, 'bacher') || has(at - 2, 'macher')) return sound(2, 'K')
  if (at === 0 && has(1, 'aesar')) return sound(2, 'S')
  if (has(at + 1, 'hia')) return sound(2, 'K')
  if (is(at + 1, H)) return soundOfCh(at)
  // CZERNY.
  if (is(at + 1, Z) && !has(at - 2, 'wi')) return sound(2, 'S', 'X')
  // FOCACCIA.
  if (has(at + 1, 'cia')) return sound(3, 'X')
  // But not MCCLELLAN.
  if (is(at + 1, C) && !(at === 1 && is(0, M))) return soundOfCc(at)
  if (is(at + 1, G | K | Q)) return sound(2, 'K')
  if (is(at + 1, I) && is(at + 2, E | O)) return sound(2, 'S', 'X')
  return is(at + 1, SOFTENING) ? sound(2, 'S') : sound(1, 'K')
}

const BEFORE_KH = setOf('bfhlmnrvw') | END

function soundOfCh(at: number): number {
  // MICHAEL.
  if (at > 0 && has(at + 2, 'ae')) return sound(2, 'K', 'X')
  if (at === 0 && isGreekCh()) return sound(2, 'K')
  // ARCHITECT, WACHTLER, WECHSLER, but not TICHNER.
  const isKh =
    isGermanic ||
    has(at - 2, 'orches') ||
    has(at - 2, 'archit') ||
    has(at - 2, 'orchid') ||
    is(at + 2, T | S) ||
    ((at === 0 || is(at - 1, A | E | O | U)) && is(at + 2, BEFORE_KH))
  if (isKh) return sound(2, 'K')
  if (at === 0) return sound(2, 'X')
  return has(0, 'mc') ? sound(2, 'K') : sound(2, 'X', 'K')
}

/** CHEMISTRY, CHORUS (but not CHORE), CHARACTER. */
const isGreekCh = () => has(2, 'em') || has(2, 'ym') || has(2, 'arac') || has(2, 'aris') || (has(2, 'or') && !is(4, E))

function soundOfCc(at: number): number {
  // BACCHUS.
  if (!is(at + 2, I | E | H) || has(at + 2, 'hu')) return sound(2, 'K')
  // ACCIDENT, SUCCEED, SUCCESS, but not BACCI.
  const isKs = (at === 1 && is(0, A)) || has(at - 1, 'uccee') || has(at - 1, 'ucces')
  return sound(3, isKs ? 'KS' : 'X')
}

function soundOfGh(at: number): number {
  // GHISLAINE.
  if (at === 0) return sound(2, is(2, I) ? 'J' : 'K')
  if (!is(at - 1, VOWEL)) return sound(2, 'K')
  // HUGH, BOUGH, BROUGHTON.
  if (is(at - 2, B | H | D) || is(at - 3, B | H | D) || is(at - 4, B | H)) return 2
  // LAUGH, COUGH, ROUGH.
  if (at > 2 && is(at - 1, U) && is(at - 3, C | G | L | R | T)) return sound(2, 'F')
  return is(at - 1, I) ? 2 : sound(2, 'K')
}

function soundOfG(at: number): number {
  if (is(at + 1, N)) {
    if (isSlavoGermanic) return sound(2, 'KN')
    if (at === 1 && is(0, VOWEL)) return sound(2, 'KN', 'N')
    // CAGNEY.
    return has(at + 2, 'ey') ? sound(2, 'KN') : sound(2, 'N', 'KN')
  }
  // TAGLIARO.
  if (has(at + 1, 'li') && !isSlavoGermanic) return sound(2, 'KL', 'L')
  if (at === 0 && isInitialKj()) return sound(2, 'K', 'J')
  const isAnger = is(0, D | M | R) && has(1, 'anger')
  if (has(at + 1, 'er') && !is(at - 1, I | E) && !isAnger) return sound(2, 'K', 'J')
  if (is(at + 1, Y) && !is(at - 1, E | G | I | R)) return sound(2, 'K', 'J')
  // BIAGGI.
  if (is(at + 1, SOFTENING) || (is(at - 1, A | O) && has(at + 1, 'gi'))) {
    if (isGermanic || has(at + 1, 'et')) return sound(2, 'K')
    // Always soft at a French ending.
    return sound(2, 'J', at + 4 === length && has(at + 1, 'ier') ? 'J' : 'K')
  }
  return single(at, 'K', G)
}

const isInitialKj = () =>
  is(1, Y) || (is(1, E) && is(2, B | I | L | P | R | S | Y)) || (is(1, I) && is(2, B | E | L | N))

function soundOfJ(at: number): number {
  if (has(at, 'jose')) return at === 0 && length === 4 ? sound(1, 'H') : sound(1, 'J', 'H')
  if (at === 0) return sound(1, 'J', 'A')
  // BAJADOR.
  if (!isSlavoGermanic && is(at + 1, A | O) && is(at - 1, VOWEL)) return sound(1, 'J', 'H')
  if (at === length - 1) return sound(1, 'J', '')
  if (!is(at - 1, S | K | L) && !is(at + 1, L | T | K | S | N | M | B | Z)) return sound(1, 'J')
  return is(at + 1, J) ? 2 : 1
}

function soundOfL(at: number): number {
  if (!is(at + 1, L)) return sound(1, 'L')
  const isAlle = is(at - 1, A) && is(at + 2, E)
  // CABRILLO, GALLEGOS.
  const isSpanish =
    (at === length - 3 && (isAlle || (is(at - 1, I) && is(at + 2, O | A)))) ||
    (isAlle && (is(length - 1, A | O) || (is(length - 1, S) && is(length - 2, A | O))))
  return sound(2, 'L', isSpanish ? '' : 'L')
}

/** DUMB, THUMB, PLUMBER: the B after UM. */
const isSilentB = (at: number) => is(at - 2, U) && is(at, B) && (at === length - 1 || has(at + 1, 'er'))

function soundOfR(at: number): number {
  // ROGIER, but not HOCHMEIER.
  const isFrench = at === length - 1 && !isSlavoGermanic && has(at - 2, 'ie') && !is(at - 4, M) && !is(at - 3, E | A)
  put(isFrench ? '' : 'R', 'R')
  return is(at + 1, R) ? 2 : 1
}

function soundOfS(at: number): number {
  // ISLAND, CARLYSLE.
  if (is(at + 1, L) && is(at - 1, I | Y)) return 1
  if (at === 0 && has(1, 'ugar')) return sound(1, 'X', 'S')
  if (is(at + 1, H)) {
    const isGermanicSh = has(at + 2, 'eim') || has(at + 2, 'oek') || has(at + 2, 'olm') || has(at + 2, 'olz')
    return sound(2, isGermanicSh ? 'S' : 'X')
  }
  if (is(at + 1, I) && is(at + 2, O | A)) return sound(3, 'S', isSlavoGermanic ? 'S' : 'X')
  if (is(at + 1, Z)) return sound(2, 'S', 'X')
  // SMITH and SCHMIDT, SNIDER and SCHNEIDER.
  if (at === 0 && is(1, L | M | N | W)) return sound(1, 'S', 'X')
  if (is(at + 1, C)) return soundOfSc(at)
  // RESNAIS, ARTOIS.
  const isFrench = at === length - 1 && is(at - 1, I) && is(at - 2, A | O)
  put(isFrench ? '' : 'S', 'S')
  return is(at + 1, S) ? 2 : 1
}

function soundOfSc(at: number): number {
  if (!is(at + 2, H)) return sound(3, is(at + 2, SOFTENING) ? 'S' : 'SK')
  // SCHERMERHORN, SCHENKER.
  if (is(at + 3, E) && is(at + 4, R | N)) return sound(3, 'X', 'SK')
  // SCHOOL and other Dutch words.
  if ((is(at + 3, E) && is(at + 4, D | M)) || has(at + 3, 'uy') || has(at + 3, 'oo')) return sound(3, 'SK')
  return sound(3, 'X', at === 0 && !is(3, VOWEL | W) ? 'S' : 'X')
}

function soundOfT(at: number): number {
  if (has(at + 1, 'ion') || has(at + 1, 'ia') || has(at + 1, 'ch')) return sound(3, 'X')
  if (is(at + 1, H) || has(at + 1, 'th')) {
    // THOMAS, THAMES.
    const isHard = isGermanic || (is(at + 2, O | A) && is(at + 3, M))
    return sound(2, isHard ? 'T' : '0', 'T')
  }
  return single(at, 'T', T | D)
}

function soundOfW(at: number): number {
  if (is(at + 1, R)) return sound(2, 'R')
  if (at === 0) {
    // WASSERMAN and VASSERMAN, WOMO and UOMO.
    if (is(1, VOWEL)) put('A', 'F')
    else if (is(1, H)) put('A')
  }
  // ARNOW and ARNOFF.
  const isEndOfSurname = is(at - 1, E | O) && has(at + 1, 'sk') && is(at + 3, I | Y)
  if (isEndOfSurname || has(0, 'sch') || (at === length - 1 && is(at - 1, VOWEL))) return sound(1, '', 'F')
  // FILIPOWICZ.
  if (is(at + 1, I) && is(at + 2, C | T) && is(at + 3, Z)) return sound(4, 'TS', 'FX')
  return 1
}

function soundOfX(at: number): number {
  // BREAUX.
  const isSilent = at === length - 1 && is(at - 1, U) && is(at - 2, A | O)
  if (!isSilent) put('KS')
  return is(at + 1, C | X) ? 2 : 1
}

function soundOfZ(at: number): number {
  // ZHAO.
  if (is(at + 1, H)) return sound(2, 'J')
  const isTs = (is(at + 1, Z) && is(at + 2, A | I | O)) || (isSlavoGermanic && at > 0 && !is(at - 1, T))
  put('S', isTs ? 'TS' : 'S')
  return is(at + 1, Z) ? 2 : 1
}
