import { createNumberList } from '../number-list.ts'
import type { SpillFile } from '../spill-file.ts'

export type RecordValues = ReturnType<typeof createRecordValues>

/** Some values for each document, without duplicates, collected document by document. */
export function createRecordValues(spill: SpillFile | null) {
  const values = createNumberList(spill)
  const ends = createNumberList(spill)
  let begin = 0
  return {
    values,
    put(value: number): void {
      for (let at = begin; at < values.length; at++) if (values.at(at) === value) return
      values.push(value)
    },
    end(): void {
      ends.push(values.length)
      begin = values.length
    },
    settle(): void {
      values.settle()
      ends.settle()
    },
    free(): void {
      values.free()
      ends.free()
    },
    /** Visits each value with the ordinal of its document, in the order of ordinals. */
    emit: (order: Uint32Array) => (put: (value: number, ordinal: number) => void) => {
      const [all, until] = [values.view(), ends.view()]
      for (let ordinal = 0; ordinal < order.length; ordinal++) {
        const number = order[ordinal]!
        for (let at = number === 0 ? 0 : until[number - 1]!; at < until[number]!; at++) put(all[at]!, ordinal)
      }
    },
  }
}
