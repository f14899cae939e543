import { tokenize } from '../../../tokenize.ts'
import type { AsciiText } from '../segment.ts'
import type { Sections } from '../segment-file.ts'
import { instantiate } from '../../wasm/instantiate.ts'

type Global = { value: number }
/** Exports of `tokenizer.wat`, which describes them. */
type WasmTokenizer = Readonly<Record<'table' | 'mask' | 'starts' | 'stamps' | 'first', Global>> & {
  read(text: number, length: number, stamp: number, out: number): number
}

/** Maps each byte to its lower-case letter or digit; 0 ends a word, 1 is dropped from it. */
const LETTERS = new Uint8Array(256)
for (let digit = 48; digit <= 57; digit++) LETTERS[digit] = digit
for (let letter = 97; letter <= 122; letter++) LETTERS[letter] = LETTERS[letter - 32] = letter
// An apostrophe is dropped: MOM'S is one word, MOMS.
LETTERS[39] = 1
const BLANK = 32
const MAX_LOOP_BYTES = 64
/** Words are compared eight bytes at a time, which may read behind the last one. */
const SLACK_BYTES = 8

/** Bytes of the longest text, slots of the hash table (a power of two), bytes of all words. */
type Capacity = { readonly textBytes: number; readonly slots: number; readonly wordBytes: number }

/** The hash table is grown at a load of three quarters. */
const maxWords = ({ slots }: Capacity) => (slots / 4) * 3

function createArena(capacity: Capacity, first: number) {
  const text = LETTERS.length + 8
  // One more byte to end the text. At worst every second byte is a word, whose varint may take five bytes.
  const out = text + capacity.textBytes + 1
  const table = Math.ceil((out + Math.ceil(capacity.textBytes / 2) * 5) / 8) * 8
  const starts = table + capacity.slots * 8
  const stamps = starts + (maxWords(capacity) + 1) * 4
  const letters = stamps + maxWords(capacity) * 4
  const { exports, memory } = instantiate('tokenizer', letters + capacity.wordBytes + SLACK_BYTES)
  const reading = exports as WasmTokenizer
  const bytes = Buffer.from(memory)
  bytes.set(LETTERS)
  reading.table.value = table
  reading.mask.value = capacity.slots - 1
  reading.starts.value = starts
  reading.stamps.value = stamps
  reading.first.value = first
  const numbersAt = (at: number, length: number) => new Uint32Array(memory, at, length)
  const allStarts = numbersAt(starts, maxWords(capacity) + 1)
  allStarts[0] = letters
  return {
    capacity,
    reading,
    bytes,
    text,
    out,
    letters,
    starts: allStarts,
    /** Number of words so far, and of numbers of the last text. */
    counts: numbersAt(LETTERS.length, 2),
    table: numbersAt(table, capacity.slots * 2),
    stamps: numbersAt(stamps, maxWords(capacity)),
  }
}
type Arena = ReturnType<typeof createArena>

/** Short texts byte by byte: a view of them, which `set` needs, costs more than the copy. */
function copyText({ bytes, begin, end }: AsciiText, to: Uint8Array, at: number): void {
  if (end - begin > MAX_LOOP_BYTES) to.set(bytes.subarray(begin, end), at)
  else for (let from = begin; from < end; from++) to[at++] = bytes[from]!
}

/** Copies everything into a larger arena. */
function grow(from: Arena, capacity: Capacity): Arena {
  const count = from.counts[0]!
  const to = createArena(capacity, from.reading.first.value)
  const shift = to.letters - from.letters
  for (let at = 0; at <= count; at++) to.starts[at] = from.starts[at]! + shift
  to.bytes.set(from.bytes.subarray(from.letters, from.starts[count]), to.letters)
  to.stamps.set(from.stamps.subarray(0, count))
  to.counts[0] = count
  rehash(from.table, to.table)
  return to
}

function rehash(from: Uint32Array, to: Uint32Array): void {
  const mask = to.length / 2 - 1
  for (let at = 0; at < from.length; at += 2) {
    if (from[at + 1] === 0) continue
    let place = from[at]! & mask
    while (to[2 * place + 1] !== 0) place = (place + 1) & mask
    to[2 * place] = from[at]!
    to[2 * place + 1] = from[at + 1]!
  }
}

/** The words of a text: their count, and their numbers as varints in bytes[begin, end). Their letters begin at `letters`. */
export type TokenizedText = { count: number; bytes: Uint8Array; begin: number; end: number; letters: number }

/**
 * Tokenizes texts and numbers their words, from `first` on, in the order of first use. Gives the same words as `tokenize`
 * without making strings, of which an import would need hundreds of millions.
 */
export function createTokenizer(first: number) {
  let arena = createArena({ textBytes: 1 << 12, slots: 1 << 12, wordBytes: 1 << 14 }, first)
  let texts = 0
  const words: TokenizedText = { count: 0, bytes: arena.bytes, begin: 0, end: 0, letters: 0 }

  function ensureCapacity(length: number): void {
    const { capacity, counts, starts, letters } = arena
    const count = counts[0]!
    const used = starts[count]! - letters
    // At worst every second byte is a new word.
    const tooLong = length * 3 > capacity.textBytes
    const tooMany = count + length / 2 + 1 > maxWords(capacity)
    const tooLarge = used + length > capacity.wordBytes
    if (!tooLong && !tooMany && !tooLarge) return
    arena = grow(arena, {
      textBytes: tooLong ? length * 4 : capacity.textBytes,
      slots: tooMany ? capacity.slots * 2 : capacity.slots,
      wordBytes: tooLarge ? capacity.wordBytes * 2 + length : capacity.wordBytes,
    })
    ensureCapacity(length)
  }

  function read(text: string | AsciiText, stamp: number): TokenizedText {
    let length = typeof text === 'string' ? text.length : text.end - text.begin
    ensureCapacity(length)
    if (typeof text !== 'string') copyText(text, arena.bytes, arena.text)
    // As many bytes as UTF-16 units: the text is ASCII. Any other text is tokenized in JavaScript first.
    else if (arena.bytes.write(text, arena.text, arena.capacity.textBytes, 'utf8') !== length) {
      const plain = tokenize(text).join(' ')
      length = plain.length
      ensureCapacity(length)
      arena.bytes.write(plain, arena.text, arena.capacity.textBytes, 'latin1')
    }
    arena.bytes[arena.text + length] = BLANK
    const { reading, bytes, out, counts } = arena
    words.end = reading.read(arena.text, length + 1, stamp, out)
    words.begin = out
    words.bytes = bytes
    words.count = counts[1]!
    words.letters = arena.text
    return words
  }

  return {
    /** The different words of a text. The result is overwritten by the next call. */
    read: (text: string | AsciiText) => read(text, ++texts),
    /** All words of a text, each as often as it occurs. The result is overwritten by the next call. */
    readAll: (text: string | AsciiText) => read(text, 0),
    size: () => arena.counts[0]!,
    /** Where a word begins and ends in `bytes`, without the number of the first word. */
    beginOf: (word: number): number => arena.starts[word]!,
    endOf: (word: number): number => arena.starts[word + 1]!,
    bytes: (): Buffer => arena.bytes,
    /** All words one after the other, and the end of each. */
    trimmed() {
      const { bytes, starts, letters, counts } = arena
      const count = counts[0]!
      return {
        bytes: bytes.subarray(letters, starts[count]),
        ends: starts.subarray(1, count + 1).map((end) => end - letters),
      }
    },
    finish(name: string): Sections {
      const { bytes, starts, letters, table, counts } = arena
      const count = counts[0]!
      return {
        [`${name}.words`]: Uint8Array.from(bytes.subarray(letters, starts[count])),
        [`${name}.word-ends`]: starts.subarray(1, count + 1).map((end) => end - letters),
        [`${name}.word-table`]: Uint32Array.from({ length: table.length / 2 }, (_, at) => table[2 * at + 1]!),
      }
    },
  }
}
