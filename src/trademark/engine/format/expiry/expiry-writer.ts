import { expiryOf } from '../../../expiry.ts'
import { packBlocks } from '../blocks.ts'
import { createNumbers } from '../set-operations.ts'
import type { PartBuilder } from '../segment.ts'
import { orderBy, stepsOf } from '../radix-sort.ts'

/** Live marks by the day on which their term ends, then by serial number. */
export function createExpiryPart(): PartBuilder {
  const days = createNumbers()
  const numbers = createNumbers()
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
    finish(serials) {
      const all = days.done()
      const numberOf = numbers.done()
      const order = orderBy(
        all,
        numberOf.map((one) => serials[one]!),
      )
      const steps = stepsOf(all, order)
      return {
        'expiry.days': steps.values,
        'expiry.day-ends': steps.ends,
        'expiry.order': packBlocks(order.map((place) => numberOf[place]!)),
      }
    },
  }
}
