import { seededRandom } from '../../kernel/random.ts'
import type { TrademarkRecord } from '../record.ts'

/** A record with these fields; the others have default values. */
export const recordOf = (fields: Partial<TrademarkRecord>): TrademarkRecord => ({
  serial: '70000001',
  mark: '',
  pseudoMarks: [],
  status: '700',
  statusDate: null,
  filingDate: 20200102,
  registrationDate: 20210304,
  renewalDate: null,
  transactionDate: 20240101,
  owner: 'Somebody LLC',
  goods: 'Shirts',
  classes: ['025'],
  attorney: '',
  history: [],
  ...fields,
})

/** Records with these marks, and serial numbers in this order. */
export const recordsOf = (...marks: string[]): TrademarkRecord[] =>
  marks.map((mark, at) => recordOf({ mark, serial: String(70_000_001 + at) }))

/** Records made of few words, so that many share some, each with its mark as `typed` with one letter missing. */
export function smallRegister(size: number, seed: number): { record: TrademarkRecord; typed: string }[] {
  const random = seededRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!
  const syllables = [
    'ba',
    'cor',
    'dra',
    'el',
    'fi',
    'gon',
    'hu',
    'kee',
    'lux',
    'mar',
    'no',
    'phi',
    'qua',
    'ris',
    'sto',
    'ty',
  ]
  const word = () => Array.from({ length: 2 + random.below(3) }, () => pick(syllables)).join('')
  const words = ['the', 'and', ...Array.from({ length: 250 }, word)]
  const some = (max: number) => Array.from({ length: 1 + random.below(max) }, () => pick(words)).join(' ')
  return Array.from({ length: size }, (_, at) => {
    const mark = random.fraction() < 0.05 ? '' : some(3).toUpperCase()
    const dropped = random.below(mark.length)
    const record = recordOf({
      serial: String(70_000_000 + at * 7),
      mark,
      pseudoMarks: random.fraction() < 0.1 ? [some(2).toUpperCase()] : [],
      status: pick(['700', '800', '710', '602', '630', '715']),
      filingDate: pick([20140506, 19850101, 20140505, null]),
      registrationDate: pick([20160229, 20170510, 19850101, null]),
      renewalDate: pick([20170101, 20180606, null, null]),
      owner: `${some(2)} inc`,
      goods: some(12),
      classes: pick([['009'], ['025'], ['009', '025'], ['035'], []]),
    })
    return { record, typed: mark.slice(0, dropped) + mark.slice(dropped + 1) }
  })
}
