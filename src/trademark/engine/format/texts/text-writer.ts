import { statusOf } from '../../../statuses.ts'
import type { Field } from '../../search/store.ts'
import { encodeBlocks } from '../blocks.ts'
import { createNumberList } from '../number-list.ts'
import type { FieldIndexWriter, IndexedRecord } from '../segment.ts'
import type { SpillFile } from '../spill-file.ts'
import { createTokenBuffer } from './token-buffer.ts'
import { LISTED_LIVES, encodePostingLists } from './posting-writer.ts'
import { sortedOrder, encodeRuns } from '../radix-sort.ts'
import { createTokenizer } from './tokenizer.ts'

/** Inverted index of one text field. `spillPath` is free for a temporary file of tokens. Result order: fewest different words first, then as `tie-rank.ts` says. */
export function createTextWriter(
  field: Field,
  spillPath: string | null = null,
  spill: SpillFile | null = null,
): FieldIndexWriter {
  const words = createTokenizer(LISTED_LIVES.length)
  const texts = createTokenBuffer(spillPath, spill)
  const sizes = createNumberList(spill)

  return {
    add(record) {
      const found = words.read(record[field])
      texts.add(found, lifeOf(record))
      sizes.push(found.count)
    },
    settle() {
      texts.settle()
      sizes.settle()
    },
    *finish(serials, tieRanks) {
      const { order, steps } = sortTexts(sizes.view(), tieRanks, serials)
      sizes.free()
      const { ends, lists } = encodePostingLists(texts.done(), order, words.size() + LISTED_LIVES.length)
      yield {
        ...words.finish(field),
        [`${field}.order`]: encodeBlocks(order),
        [`${field}.sizes`]: steps.values,
        [`${field}.size-ends`]: steps.ends,
        [`${field}.list-ends`]: ends,
        [`${field}.lists.disk`]: lists,
      }
    },
    close: texts.close,
  }
}

/** A function of its own, so that nothing refers to the sizes while posting lists are built. */
function sortTexts(sizes: Uint32Array, tieRanks: Uint32Array, serials: Uint32Array) {
  const order = sortedOrder(sizes, tieRanks, serials)
  return { order, steps: encodeRuns(sizes, order) }
}

/** The posting list of the record's life, or -1. */
const lifeOf = ({ status }: IndexedRecord) =>
  LISTED_LIVES.indexOf(statusOf(status).life as (typeof LISTED_LIVES)[number])
