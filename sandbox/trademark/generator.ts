/** An invented trademark register with the statistics of the real one, fixed per seed. */
import type { Day, TrademarkRecord } from '../../src/trademark/record.ts'
import { createDice } from './dice.ts'
import { goodsOf } from './goods.ts'
import { createLives } from './life.ts'
import { markOf, pseudoMarksOf } from './marks.ts'
import { capital, ownerOf } from './owners.ts'
import { createVocabulary } from './vocabulary.ts'

export type RegisterPlan = {
  readonly seed: number
  /** The latest date of any record. */
  readonly today?: Day
}

/** Records can be generated in any order. A smaller register is a prefix of a larger one. */
export type Register = {
  record(index: number): TrademarkRecord
  /** Only the mark of that record, which is faster. */
  mark(index: number): string
}

const RECORD_PURPOSE = 5
/** Serial numbers have eight digits; the oldest series that the Office uses starts here. */
const FIRST_SERIAL = 70_000_000

export function createRegister({ seed, today = 20260101 }: RegisterPlan): Register {
  const dice = createDice(seed)
  const words = createVocabulary(createDice(seed))
  const lifeOf = createLives(today)
  return {
    record(index) {
      const mark = markOf(index, words, dice)
      const owner = ownerOf(index, words, dice)
      dice.reseed(index, RECORD_PURPOSE)
      const { classes, goods } = goodsOf(words, dice)
      const life = lifeOf(dice)
      return {
        serial: String(FIRST_SERIAL + index),
        mark,
        pseudoMarks: pseudoMarksOf(mark, dice),
        status: life.status,
        statusDate: life.statusDate,
        filingDate: life.filingDate,
        registrationDate: life.registrationDate,
        renewalDate: life.renewalDate,
        transactionDate: life.transactionDate,
        owner,
        goods,
        classes,
        attorney: dice.chance(0.5) ? `${capital(words.givenName(dice))} ${capital(words.surname(dice))}` : '',
        history: life.history,
      }
    },
    mark: (index) => markOf(index, words, dice),
  }
}

export function* generateRegister({ size, ...plan }: RegisterPlan & { size: number }): Generator<TrademarkRecord> {
  const register = createRegister(plan)
  for (let index = 0; index < size; index++) yield register.record(index)
}
