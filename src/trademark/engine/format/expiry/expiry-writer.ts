import { expiryOf } from '../../../expiry.ts'
import { encodeBlocks } from '../blocks.ts'
import { createNumberList } from '../number-list.ts'
import type { FieldIndexWriter } from '../segment.ts'
import type { SpillFile } from '../spill-file.ts'
import { sortedOrder, encodeRuns } from '../radix-sort.ts'

/** Live marks by the day on which their term ends, then by serial number. */
export function createExpiryWriter(spill: SpillFile | null = null): FieldIndexWriter {
  const days = createNumberList(spill)
  const numbers = createNumberList(spill)
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
    settle() {
      days.settle()
      numbers.settle()
    },
    *finish(serials) {
      const all = days.view()
      const numberOf = numbers.view()
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
    close() {
      days.free()
      numbers.free()
    },
  }
}
