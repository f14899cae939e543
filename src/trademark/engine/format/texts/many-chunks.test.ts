import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { seededRandom } from '../../../../kernel/random.ts'
import type { TrademarkRecord } from '../../../record.ts'
import { statusOf } from '../../../statuses.ts'
import { tieRankOf } from '../../../tie-rank.ts'
import { recordOf } from '../../../sources/records.fixture.ts'
import { openTextStore, type TextStore } from './text-store.ts'
import { segmentOf } from './segment.fixture.ts'

/** The share of texts that have each word: gives plain lists, arrays, bitmaps, and lists with both containers. */
const SHARES: Readonly<Record<string, number>> = {
  all: 1,
  most: 0.7,
  some: 0.2,
  edge: 0.03125,
  few: 0.01,
  rare: 0.001,
  rarest: 0.00004,
}

suite('posting lists over several chunks', () => {
  const random = seededRandom(21)
  const words = Object.keys(SHARES)
  let records: TrademarkRecord[]
  let opened: [TextStore, readonly TrademarkRecord[]][]
  const isGone = ({ transactionDate }: TrademarkRecord) => transactionDate === 1
  const sizeOf = ({ goods }: TrademarkRecord) => (goods === '' ? 0 : goods.split(' ').length)

  before(() => {
    records = Array.from({ length: 70_000 }, (_, at) =>
      recordOf({
        serial: String(70_000_000 + ((at * 7919) % 70_000)),
        status: ['700', '710', 'xyz'][random.below(3)]!,
        filingDate: 20200101 + random.below(4),
        transactionDate: random.below(50) === 0 && at < 66_500 ? 1 : 2,
        goods: [...words, `n${at >> 4}`]
          // Many of the longer texts have `late`, so its chunks have both kinds of container.
          .filter((word) => random.fraction() < (SHARES[word] ?? 0.5))
          .concat(random.fraction() < 0.3 ? ['late', 'x1', 'x2', 'x3', 'x4'] : random.fraction() < 0.01 ? ['late'] : [])
          .join(' '),
      }),
    )
    const live = records.filter((record) => !isGone(record))
    opened = [
      [openTextStore([segmentOf(records, isGone)], 1), records],
      [openTextStore([segmentOf(live)], 1 << 20), live],
      [openTextStore([segmentOf(records.slice(0, 66_500), isGone), segmentOf(records.slice(66_500))]), records],
    ]
  })

  test('any words, life and page give the result of a full scan', () => {
    const kinds = [...words, 'late', 'n77', 'n4000']
    const inOrder = records
      .filter((record) => !isGone(record))
      .sort((a, b) => sizeOf(a) - sizeOf(b) || tieRankOf(a) - tieRankOf(b) || Number(a.serial) - Number(b.serial))
      .map(({ serial, status, goods }) => ({ serial, life: statusOf(status).life, words: goods.split(' ') }))
    const having = new Map(kinds.map((kind) => [kind, inOrder.map(({ words }) => words.includes(kind))]))
    const pick = <T>(from: readonly T[]) => from[random.below(from.length)]!
    const some = () => [...new Set(Array.from({ length: 2 + random.below(3) }, () => pick(kinds)))]
    for (const asked of [...kinds.map((kind) => [kind]), ...Array.from({ length: 40 }, some)]) {
      const life = asked.length === 1 ? 'all' : pick(['all', 'live', 'dead'] as const)
      const [offset, limit] = [pick([0, 0, 5, 9900]), pick([1, 10, 100])]
      const expected = inOrder
        .filter((one, at) => (life === 'all' || one.life === life) && asked.every((word) => having.get(word)![at]))
        .map(({ serial }) => serial)
      for (const [texts, from] of opened) {
        const { total, numbers } = texts.byText('goods', asked, { life }, offset, limit)
        const about = JSON.stringify({ asked, life, offset, limit })
        assert.equal(total, expected.length, about)
        assert.deepEqual(
          numbers.map((number) => from[number]!.serial),
          expected.slice(offset, offset + limit),
          about,
        )
      }
    }
  })

  test('the same records give the same bytes', () => {
    const [one, other] = [0, 1].map(() => segmentOf(records.slice(0, 3000)))
    for (const section of ['goods.lists.disk', 'goods.list-ends', 'goods.word-table', 'owner.order', 'expiry.order'])
      assert.deepEqual(one!.numbers(section), other!.numbers(section))
  })
})
