import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { createNumberList } from '../number-list.ts'
import { readFully } from '../segment-file.ts'
import type { SpillFile } from '../spill-file.ts'
import type { TokenizedText } from './tokenizer.ts'

const BLOCK_BITS = 25
const BLOCK_BYTES = 1 << BLOCK_BITS
const MAX_VARINT_BYTES = 5
/** With a spill file, this many full blocks at most stay in memory. */
const MAX_BLOCKS_IN_MEMORY = 2

/**
 * The word numbers of all texts as varints, as `tokenizer.wat` writes them. Kept in blocks, so that growing copies nothing.
 * Texts are read again by document number. Full blocks go to a file at `spillPath`, if there is one: the tokens of 14 million
 * records take 800 MB. The file has no name, so nothing is left after a crash.
 */
export function createTokenBuffer(
  spillPath: string | null = null,
  spillLists: SpillFile | null = null,
  blockBytes = BLOCK_BYTES,
) {
  const blocks: (Uint8Array | null)[] = []
  const blockEnds: number[] = []
  const places = createNumberList(spillLists)
  let spill = -1
  let block = new Uint8Array(0)
  let at = 0

  function spillOldest(): void {
    if (spillPath === null || blocks.length <= MAX_BLOCKS_IN_MEMORY) return
    if (spill < 0) {
      spill = openSync(spillPath, 'wx+')
      rmSync(spillPath)
    }
    spillBlock(blocks.length - MAX_BLOCKS_IN_MEMORY - 1)
  }

  function spillBlock(number: number): void {
    const full = blocks[number]
    // A block of a text too long for one is rare, and stays.
    if (full?.length !== blockBytes) return
    for (let done = 0; done < blockBytes;)
      done += writeSync(spill, full, done, blockBytes - done, number * blockBytes + done)
    blocks[number] = null
  }

  return {
    /** `extra` is one more number to store with the text; -1 for none. */
    add({ count, bytes, begin, end }: Omit<TokenizedText, 'letters'>, extra: number): void {
      const maxBytes = end - begin + 2 * MAX_VARINT_BYTES
      // A text too long for a block gets a block of its own; offsets stay below BLOCK_BYTES.
      if (at + maxBytes > Math.min(block.length, blockBytes)) {
        if (blocks.length === 2 ** 32 / BLOCK_BYTES) throw new RangeError('The texts exceed what one segment can hold.')
        if (blocks.length > 0) blockEnds.push(at)
        block = new Uint8Array(Math.max(blockBytes, maxBytes))
        blocks.push(block)
        at = 0
        spillOldest()
      }
      places.push((blocks.length - 1) * BLOCK_BYTES + at)
      at = write(block, at, extra < 0 ? count : count + 1)
      if (extra >= 0) at = write(block, at, extra)
      block.set(bytes.subarray(begin, end), at)
      at += end - begin
    },
    settle: places.settle,
    /** Once there is a spill file, all full blocks go there: the posting lists need the memory. */
    done(): TokenBuffer {
      if (spill >= 0) for (let number = 0; number < blocks.length - 1; number++) spillBlock(number)
      return { blocks, blockEnds: [...blockEnds, at], places: places.view(), spill, blockBytes }
    },
    /** Frees the spill file and the memory. */
    close(): void {
      places.free()
      if (spill >= 0) closeSync(spill)
      spill = -1
    },
  }
}

function write(block: Uint8Array, at: number, value: number): number {
  for (; value > 127; value >>>= 7) block[at++] = value | 128
  block[at++] = value
  return at
}

export type TokenBuffer = {
  /** Null if the block is in the spill file. */
  readonly blocks: readonly (Uint8Array | null)[]
  readonly blockEnds: readonly number[]
  readonly places: Uint32Array
  readonly spill: number
  readonly blockBytes: number
}

/** The word numbers of several texts and the end of each text; only the first `count` numbers are valid. */
export type Words = { readonly words: Uint32Array; readonly ends: Uint32Array; readonly count: number }

/** Above every index in a group. */
const GROUP_SCALE = 2 ** 21
/** Texts whose tokens are fetched from the spill file together: each time the whole file is read. */
const GROUP_TEXTS = 1 << 20

/**
 * Decodes the texts of the documents order[first, first + count), at most `maxTexts` of them. `first` should rise from call to
 * call. The result is overwritten by the next call.
 */
export function createTokenReader(buffer: TokenBuffer, order: Uint32Array, maxTexts: number, groupTexts = GROUP_TEXTS) {
  let words = new Uint32Array(1 << 16)
  const ends = new Uint32Array(maxTexts)
  const locate = buffer.spill < 0 ? inMemory(buffer, order) : fromSpill(buffer, order, Math.max(groupTexts, maxTexts))
  return (first: number, texts: number): Words => {
    const { blockAt, offsetAt } = locate(first, texts)
    let count = 0
    for (let text = 0; text < texts; text++) {
      const block = blockAt(first + text)
      let at = offsetAt(first + text)
      let remaining = -1
      // The first varint of a text is the number of words.
      do {
        let byte = block[at++]!
        let value = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = block[at++]!
          value |= (byte & 127) << shift
        }
        if (remaining >= 0) {
          words[count++] = value
          remaining--
          continue
        }
        remaining = value
        if (count + remaining > words.length) {
          const larger = new Uint32Array(Math.max(words.length * 2, count + remaining))
          larger.set(words)
          words = larger
        }
      } while (remaining > 0)
      ends[text] = count
    }
    return { words, ends, count }
  }
}

/** Where the tokens of the text at an index of `order` begin. */
type Located = { readonly blockAt: (at: number) => Uint8Array; readonly offsetAt: (at: number) => number }

function inMemory({ blocks, places }: TokenBuffer, order: Uint32Array): () => Located {
  const located = {
    blockAt: (at: number) => blocks[places[order[at]!]! >>> BLOCK_BITS]!,
    offsetAt: (at: number) => places[order[at]!]! & (BLOCK_BYTES - 1),
  }
  return () => located
}

/** Gathers the tokens of a group of texts in one pass over the file, since reading each text by itself would take hours. */
function fromSpill(buffer: TokenBuffer, order: Uint32Array, groupTexts: number) {
  const { blocks, blockEnds, places, spill, blockBytes } = buffer
  const readBuffer = new Uint8Array(blockBytes)
  const offsets = new Uint32Array(Math.min(groupTexts, order.length))
  let gathered = new Uint8Array(0)
  let from = 0
  let to = 0
  const located: Located = { blockAt: () => gathered, offsetAt: (at) => offsets[at - from]! }

  function endOf(number: number): number {
    const place = places[number]!
    const next = places[number + 1]
    return next !== undefined && next >>> BLOCK_BITS === place >>> BLOCK_BITS
      ? next & (BLOCK_BYTES - 1)
      : blockEnds[place >>> BLOCK_BITS]!
  }

  function gather(first: number): void {
    from = first
    to = Math.min(order.length, first + groupTexts)
    // In the order of documents, and so of the file. The index in the group is kept beside the document number.
    const numbers = Float64Array.from({ length: to - from }, (_, at) => order[from + at]! * GROUP_SCALE + at).sort()
    let length = 0
    for (const one of numbers) {
      const number = Math.floor(one / GROUP_SCALE)
      length += endOf(number) - (places[number]! & (BLOCK_BYTES - 1))
    }
    if (length > gathered.length) gathered = new Uint8Array(length)
    let end = 0
    let current = -1
    let block: Uint8Array = readBuffer
    for (const one of numbers) {
      const number = Math.floor(one / GROUP_SCALE)
      const place = places[number]!
      if (place >>> BLOCK_BITS !== current) {
        current = place >>> BLOCK_BITS
        block = blocks[current] ?? readBuffer
        if (block === readBuffer && !readFully(spill, readBuffer, current * blockBytes))
          throw new Error('The file of tokens is cut off.')
      }
      offsets[one % GROUP_SCALE] = end
      const begin = place & (BLOCK_BYTES - 1)
      const until = endOf(number)
      gathered.set(block.subarray(begin, until), end)
      end += until - begin
    }
  }

  return (first: number, texts: number): Located => {
    if (first < from || first + texts > to) gather(first)
    return located
  }
}
