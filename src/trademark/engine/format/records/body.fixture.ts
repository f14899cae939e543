import fc from 'fast-check'
import type { TrademarkRecord } from '../../../record.ts'

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', 'é', 'x'.repeat(127), 'x'.repeat(128), 'ÿ'.repeat(20_000)),
)
const day = fc.option(fc.constantFrom(0, 1, 18840407, 20260115))
/** Any record, with texts around the limits of the encoding. */
export const anyRecord: fc.Arbitrary<TrademarkRecord> = fc.record(
  {
    serial: fc.stringMatching(/^\d{8}$/),
    mark: text,
    pseudoMarks: fc.array(text, { maxLength: 3 }),
    status: fc.constantFrom('', '700', '602'),
    statusDate: day,
    filingDate: day,
    registrationDate: day,
    renewalDate: day,
    transactionDate: fc.constantFrom(0, 20260115),
    owner: text,
    goods: text,
    classes: fc.array(fc.constantFrom('009', 'A', '200'), { maxLength: 80 }),
    attorney: text,
    history: fc.array(text, { maxLength: 5 }),
  },
  { noNullPrototype: true },
)
