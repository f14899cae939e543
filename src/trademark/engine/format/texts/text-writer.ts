import type { TrademarkRecord } from '../../../record.ts'
import { statusOf } from '../../../statuses.ts'
import type { Field } from '../../search/store.ts'
import { packBlocks } from '../blocks.ts'
import { createNumbers } from '../set-operations.ts'
import type { PartBuilder } from '../segment.ts'
import { createCollection } from './token-buffer.ts'
import { LISTED_LIVES, packLists } from './posting-writer.ts'
import { orderBy, stepsOf } from '../radix-sort.ts'
import { createWords } from './tokenizer.ts'

/** Records by the words of a text. The order of answers: fewest different words first, then as `tie-rank.ts` says. */
export function createTextPart(field: Field): PartBuilder {
  const words = createWords(LISTED_LIVES.length)
  const texts = createCollection()
  const sizes = createNumbers()

  return {
    add(record) {
      const found = words.read(record[field])
      texts.add(found, lifeOf(record))
      sizes.push(found.count)
    },
    finish(serials, tieRanks) {
      const sizesOfAll = sizes.done()
      const order = orderBy(sizesOfAll, tieRanks, serials)
      const steps = stepsOf(sizesOfAll, order)
      const { ends, lists } = packLists(texts.done(), order, words.size() + LISTED_LIVES.length)
      return {
        ...words.finish(field),
        [`${field}.order`]: packBlocks(order),
        [`${field}.sizes`]: steps.values,
        [`${field}.size-ends`]: steps.ends,
        [`${field}.list-ends`]: ends,
        [`${field}.lists.disk`]: lists,
      }
    },
  }
}

/** The list of its life, or -1. */
const lifeOf = ({ status }: TrademarkRecord) =>
  LISTED_LIVES.indexOf(statusOf(status).life as (typeof LISTED_LIVES)[number])
