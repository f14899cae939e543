import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { prepareQuery, scoreNames, scoreOf } from '../../../scoring.ts'
import { allPluralsAndSingularsOf, tokenize } from '../../../tokenize.ts'
import { isPlural, weightOf } from '../../../word-match.ts'
import { recordOf, smallRegister } from '../../../sources/records.fixture.ts'
import { encodeBlocks } from '../blocks.ts'
import { readSections, writeSections, type SectionSources } from '../segment-file.ts'
import { openSegment } from '../segment-reader.ts'
import { createMarksWriter } from './marks-writer.ts'
import { openMarkStore } from './mark-store.ts'

const words = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', 'e', 's', 't'), minLength: 1, maxLength: 9 }),
  fc.constantFrom(
    'leaf',
    'leaves',
    'child',
    'children',
    'two',
    '2',
    'boy',
    'boies',
    'light',
    'lite',
    'face',
    'book',
    'facebook',
  ),
)
const text = fc.array(words, { minLength: 1, maxLength: 5 }).map((some) => some.join(' '))

test('every score lies within its bounds, and equals the score computed from the text', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  let file = 0
  const check = (names: readonly (readonly string[])[], searches: readonly string[]) => {
    const records = names.map(([mark = '', ...pseudoMarks], at) =>
      recordOf({ mark, pseudoMarks, serial: String(70_000_000 + at) }),
    )
    const builder = createMarksWriter()
    for (const record of records) builder.add(record)
    const path = join(folder, String(file++))
    const numbers = Uint32Array.from(records.keys())
    const ids = encodeBlocks(numbers)
    const sections = Object.assign({}, ...builder.finish(numbers, numbers)) as SectionSources
    writeSections(path, { ids, serials: ids, 'tie-ranks': numbers, ...sections })
    const store = openMarkStore([openSegment(readSections(path))], (id) => records[id]!)
    for (const search of searches) {
      const weigh = (token: string) => weightOf(store.term(token).frequency, store.documents)
      const query = prepareQuery(search, weigh)
      const { bound, boundByLength, names: read } = store.reader(query)
      const marks = records.filter(({ mark, pseudoMarks }) => tokenize([mark, ...pseudoMarks].join(' ')).length > 0)
      for (let mark = 0; mark < marks.length; mark++) {
        const score = scoreOf(query, store.recordOfMark(mark))
        assert.equal(scoreNames(query, read(mark), 0), score)
        for (const upper of [bound(mark), boundByLength(mark)])
          assert.ok(score <= upper, `${search}: ${store.recordOfMark(mark).mark} ${score} ${upper}`)
        for (const minScore of [0.5, 0.8, 0.95]) {
          const cut = scoreNames(query, read(mark), minScore)
          assert.ok(cut === score || (cut < minScore && score < minScore), `${search} ${minScore} ${score} ${cut}`)
          for (const enough of [minScore, 0.7, 0.9, 1]) {
            const range = scoreNames(query, read(mark), minScore, enough)
            const rangeOf = (value: number) => (value < minScore ? 'too low' : value < enough ? 'enough' : value)
            assert.equal(rangeOf(range), rangeOf(score), `${search} ${minScore} ${enough} ${score} ${range}`)
          }
        }
      }
    }
  }
  const names = fc.array(fc.array(text, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(names, fc.array(text, { minLength: 1, maxLength: 4 }), (marks, searches) =>
      check(marks, [...searches, ...marks.map(([mark = '']) => mark)]),
    ),
    { numRuns: 25 },
  )
  const entries = smallRegister(300, 5)
  check(
    entries.map(({ record }) => [record.mark, ...record.pseudoMarks]),
    entries.slice(0, 30).map(({ typed }) => typed),
  )
})

test('allPluralsAndSingularsOf lists every plural and singular of a word', () => {
  fc.assert(
    fc.property(words, fc.constantFrom('', 's', 'es', 'ies', 'ves', 'y', 'f', 'fe'), (one, ending) => {
      for (const other of [one + ending, one.slice(0, -1) + ending, one.slice(0, -2) + ending])
        if (isPlural(one, other)) assert.ok(allPluralsAndSingularsOf(one).includes(other), `${one} ${other}`)
    }),
    { numRuns: 3000 },
  )
})
