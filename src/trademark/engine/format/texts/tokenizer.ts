import { tokenize } from '../../../tokenize.ts'
import type { Sections } from '../segment-file.ts'
import { instantiate } from '../../wasm/instantiate.ts'

type Global = { value: number }
/** What each does is said in `words.wat`. */
type Reading = Readonly<Record<'table' | 'mask' | 'starts' | 'stamps' | 'first', Global>> & {
  read(text: number, length: number, stamp: number, out: number): number
}

/** Of each byte the small letter or digit it stands for; 0 for what parts words, 1 for what is left out of them. */
const LETTERS = new Uint8Array(256)
for (let digit = 48; digit <= 57; digit++) LETTERS[digit] = digit
for (let letter = 97; letter <= 122; letter++) LETTERS[letter] = LETTERS[letter - 32] = letter
// MOM'S is one word, MOMS.
LETTERS[39] = 1
const BLANK = 32
/** A few bytes more than there are may be looked at together. */
const SLACK = 8

/** How large the places of a memory are: the longest text, pairs of the table (a power of two), bytes of all words. */
type Plan = { readonly text: number; readonly pairs: number; readonly letters: number }

/** So many of the pairs may be taken. */
const mostWords = ({ pairs }: Plan) => (pairs / 4) * 3

function createRoom(plan: Plan, first: number) {
  const text = LETTERS.length + 8
  // One byte more to end the text; and a number of a word of one letter may take five bytes.
  const out = text + plan.text + 1
  const table = Math.ceil((out + Math.ceil(plan.text / 2) * 5) / 8) * 8
  const starts = table + plan.pairs * 8
  const stamps = starts + (mostWords(plan) + 1) * 4
  const letters = stamps + mostWords(plan) * 4
  const { exports, memory } = instantiate('tokenizer', letters + plan.letters + SLACK)
  const reading = exports as Reading
  const bytes = Buffer.from(memory)
  bytes.set(LETTERS)
  reading.table.value = table
  reading.mask.value = plan.pairs - 1
  reading.starts.value = starts
  reading.stamps.value = stamps
  reading.first.value = first
  const numbersAt = (at: number, length: number) => new Uint32Array(memory, at, length)
  const allStarts = numbersAt(starts, mostWords(plan) + 1)
  allStarts[0] = letters
  return {
    plan,
    reading,
    bytes,
    text,
    out,
    letters,
    starts: allStarts,
    /** How many words there are, and how many different ones the last text has. */
    counts: numbersAt(LETTERS.length, 2),
    table: numbersAt(table, plan.pairs * 2),
    stamps: numbersAt(stamps, mostWords(plan)),
  }
}
type Room = ReturnType<typeof createRoom>

/** A larger room with all that is in this one. */
function moved(from: Room, plan: Plan): Room {
  const count = from.counts[0]!
  const to = createRoom(plan, from.reading.first.value)
  const shift = to.letters - from.letters
  for (let at = 0; at <= count; at++) to.starts[at] = from.starts[at]! + shift
  to.bytes.set(from.bytes.subarray(from.letters, from.starts[count]), to.letters)
  to.stamps.set(from.stamps.subarray(0, count))
  to.counts[0] = count
  const mask = plan.pairs - 1
  for (let at = 0; at < from.table.length; at += 2) {
    if (from.table[at + 1] === 0) continue
    let place = from.table[at]! & mask
    while (to.table[2 * place + 1] !== 0) place = (place + 1) & mask
    to.table[2 * place] = from.table[at]!
    to.table[2 * place + 1] = from.table[at + 1]!
  }
  return to
}

/** The different words of a text: how many, and their numbers as `words.wat` writes them. */
export type TokenizedText = { count: number; bytes: Uint8Array; begin: number; end: number }

/**
 * Numbers for the words of very many texts, from `first` on in the order in which they first come. The words are those
 * of `tokenize`; but of millions of texts no strings are made.
 */
export function createTokenizer(first: number) {
  let room = createRoom({ text: 1 << 12, pairs: 1 << 12, letters: 1 << 14 }, first)
  let texts = 0
  const words: TokenizedText = { count: 0, bytes: room.bytes, begin: 0, end: 0 }

  function makeRoom(length: number): void {
    const { plan, counts, starts, letters } = room
    const count = counts[0]!
    const used = starts[count]! - letters
    // At worst every other letter is a new word.
    const tooLong = length * 3 > plan.text
    const tooMany = count + length / 2 + 1 > mostWords(plan)
    const tooLarge = used + length > plan.letters
    if (!tooLong && !tooMany && !tooLarge) return
    room = moved(room, {
      text: tooLong ? length * 4 : plan.text,
      pairs: tooMany ? plan.pairs * 2 : plan.pairs,
      letters: tooLarge ? plan.letters * 2 + length : plan.letters,
    })
    makeRoom(length)
  }

  return {
    /** What it returns is overwritten by the next. */
    read(text: string): TokenizedText {
      let length = text.length
      makeRoom(length)
      // As many bytes as units of text: all of it is ASCII. Anything else is made so first.
      if (room.bytes.write(text, room.text, room.plan.text, 'utf8') !== length) {
        const plain = tokenize(text).join(' ')
        length = plain.length
        makeRoom(length)
        room.bytes.write(plain, room.text, room.plan.text, 'latin1')
      }
      room.bytes[room.text + length] = BLANK
      const { reading, bytes, out, counts } = room
      words.end = reading.read(room.text, length + 1, ++texts, out)
      words.begin = out
      words.bytes = bytes
      words.count = counts[1]!
      return words
    },
    size: () => room.counts[0]!,
    finish(name: string): Sections {
      const { bytes, starts, letters, table, counts } = room
      const count = counts[0]!
      return {
        [`${name}.words`]: Uint8Array.from(bytes.subarray(letters, starts[count])),
        [`${name}.word-ends`]: starts.subarray(1, count + 1).map((end) => end - letters),
        [`${name}.word-table`]: Uint32Array.from({ length: table.length / 2 }, (_, at) => table[2 * at + 1]!),
      }
    },
  }
}
