import { expiryOf } from '../../../expiry.ts'
import { encodeBlocks } from '../blocks.ts'
import { createNumberList } from '../number-list.ts'
import type { FieldIndexWriter } from '../segment.ts'
import { sortedOrder, encodeRuns } from '../radix-sort.ts'

/** Live marks by the day on which their term ends, then by serial number. */
export function createExpiryWriter(): FieldIndexWriter {
  const days = createNumberList()
  const numbers = createNumberList()
  let number = 0
  return {
    add(record) {
      const day = expiryOf(record)
      if (day !== null) {
        days.push(day)
        numbers.push(number)
      }
      number++
    },
    *finish(serials) {
      const all = days.done()
      const numberOf = numbers.done()
      const order = sortedOrder(
        all,
        numberOf.map((one) => serials[one]!),
      )
      const steps = encodeRuns(all, order)
      yield {
        'expiry.days': steps.values,
        'expiry.day-ends': steps.ends,
        'expiry.order': encodeBlocks(order.map((place) => numberOf[place]!)),
      }
    },
  }
}
