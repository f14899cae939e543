import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { readRegister } from '../../src/trademark/sources/office-xml/read-register.ts'
import { statusOf } from '../../src/trademark/statuses.ts'
import { tokenize } from '../../src/trademark/tokenize.ts'
import { createDice } from './dice.ts'
import { createRegister, generateRegister } from './generator.ts'
import { writeRegisterFile } from './register-file.ts'
import { VARIANTS, variantOf } from './variants.ts'

const SEED = 20260101

suite('an invented register', () => {
  test('is identical for the same seed, and a record does not depend on the records generated before it', () => {
    const register = createRegister({ seed: SEED })
    const backwards = createRegister({ seed: SEED })
    const indexes = [13_999_999, 5_000_000, 77, 1, 0]
    const records = indexes.map((index) => register.record(index))
    assert.deepEqual(
      indexes
        .toReversed()
        .map((index) => backwards.record(index))
        .toReversed(),
      records,
    )
    assert.deepEqual([...generateRegister({ seed: SEED, size: 2 })], records.slice(-2).toReversed())
    for (const [at, index] of indexes.entries()) assert.equal(register.mark(index), records[at]!.mark)
    assert.notDeepEqual(createRegister({ seed: SEED + 1 }).record(77), records[2])
  })

  test('has serial numbers of eight digits, status codes of the Office, and no date after today', () => {
    const register = createRegister({ seed: SEED, today: 20260101 })
    const serials = new Set<string>()
    for (let index = 0; index < 14_000_000; index += 7_001) {
      const record = register.record(index)
      assert.match(record.serial, /^\d{8}$/)
      serials.add(record.serial)
      assert.notEqual(statusOf(record.status).life, 'indifferent')
      for (const day of [record.filingDate, record.registrationDate, record.renewalDate, record.transactionDate])
        assert.ok(day === null || (day > 19000101 && day <= 20260101), `${day}`)
      assert.ok(record.history.every((event) => /^\d{4}-\d\d-\d\d \S/.test(event)))
    }
    assert.equal(serials.size, 2_000)
  })

  test('has the statistics of the real one', () => {
    const size = 20_000
    const counts = { tokens: 0, wordless: 0, classes: 0, goods: 0, the: 0, services: 0, computer: 0 }
    const words = new Set<string>()
    const owners = new Set<string>()
    for (const record of generateRegister({ seed: SEED, size })) {
      const tokens = tokenize(record.mark)
      const goods = new Set(tokenize(record.goods))
      counts.tokens += tokens.length
      counts.wordless += tokens.length === 0 ? 1 : 0
      counts.classes += record.classes.length
      counts.goods += goods.size
      counts.the += tokens.includes('the') ? 1 : 0
      counts.services += goods.has('services') ? 1 : 0
      counts.computer += goods.has('computer') ? 1 : 0
      for (const token of tokens) words.add(token)
      owners.add(record.owner)
    }
    const within = (value: number, from: number, to: number) => assert.ok(value >= from && value <= to, `${value}`)
    within(counts.tokens / size, 2.0, 2.2)
    within(counts.wordless / size, 0.025, 0.035)
    within(counts.classes / size, 1.38, 1.5)
    within(counts.goods / size, 27, 31)
    within(counts.the / size, 0.013, 0.02)
    within(counts.services / size, 0.37, 0.42)
    within(counts.computer / size, 0.27, 0.32)
    within(owners.size / size, 0.4, 0.44)
    within(words.size / size, 0.7, 1)
  })

  test('is the same after it is written to a register file and read back', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onoma-register-'))
    try {
      const path = join(folder, 'apc260101.zip')
      const records = [...generateRegister({ seed: SEED, size: 300 })]
      const written = await writeRegisterFile(path, records)
      const read = []
      for await (const record of readRegister(path)) read.push(record)
      assert.deepEqual(read, records)
      assert.equal(written.records, 300)
      assert.equal(written.bytes, (await stat(path)).size)
      assert.ok(written.xmlBytes / 300 > 5_000, 'a record is much smaller than one of the real register')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

suite('variants of a mark', () => {
  const dice = createDice(1)
  const some = (kind: (typeof VARIANTS)[number], mark: string) => {
    dice.reseed(1, 1)
    return variantOf(kind, mark, dice)
  }

  test('match their names', () => {
    assert.equal(some('exact', 'FACE & BOOK'), 'FACE BOOK')
    assert.equal(some('joined', 'FACE BOOK'), 'FACEBOOK')
    assert.equal(some('split', 'FACEBOOK'), 'FACE BOOK')
    assert.equal(some('plural', 'FACE BOOKER'), 'FACE BOOKERS')
    assert.equal(some('word order', 'ONE TWO THREE'), 'TWO THREE ONE')
    assert.equal(some('word dropped', 'ONE TWO THREE')?.split(' ').length, 2)
    assert.match(some('word added', 'FACEBOOK')!, /^FACEBOOK [A-Z]+$/)
    assert.equal(some('respelled', 'PHOTON')?.replace(/^F/, 'PH'), 'PHOTON')
  })

  test('are never the mark itself, and null if the mark has no such variant', () => {
    assert.equal(some('exact', ''), null)
    assert.equal(some('joined', 'ONE'), null)
    assert.equal(some('word dropped', 'ONE TWO'), null)
    const register = createRegister({ seed: SEED })
    for (let index = 0; index < 2_000; index++) {
      const mark = register.mark(index)
      for (const kind of VARIANTS) {
        const text = variantOf(kind, mark, dice)
        if (kind !== 'exact') assert.notEqual(text, mark)
      }
    }
  })
})
