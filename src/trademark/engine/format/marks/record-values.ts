import { createNumberList } from '../number-list.ts'

export type Lists = ReturnType<typeof createRecordValues>

/** The values of each record, one record after the other, each value of a record once. */
export function createRecordValues() {
  const values = createNumberList()
  const ends = createNumberList()
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
    /** Each value with the place of its record, as the places rise. */
    emit: (order: Uint32Array) => (put: (value: number, place: number) => void) => {
      const [all, until] = [values.view(), ends.view()]
      for (let place = 0; place < order.length; place++) {
        const number = order[place]!
        for (let at = number === 0 ? 0 : until[number - 1]!; at < until[number]!; at++) put(all[at]!, place)
      }
    },
  }
}
