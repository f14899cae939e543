import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prepareQuery, scoreMark, scoreOf } from './scoring.ts'
import { squashOf } from './tokenize.ts'

const COMMON = new Set(['the', 'of', 'and', 'club', 'store', 'house'])
const idf = (token: string) => (COMMON.has(token) ? 4 : 12)
const candidate = (mark: string, ...pseudoMarks: string[]) => ({ mark, pseudoMarks })
const match = (query: string, mark: string, ...pseudoMarks: string[]) =>
  scoreMark(prepareQuery(query, idf), candidate(mark, ...pseudoMarks))
const score = (query: string, mark: string, ...pseudoMarks: string[]) => match(query, mark, ...pseudoMarks).score

test('each kind of match scores high enough and gives its reason', () => {
  for (const [query, mark, atLeast, reason] of [
    ['Golden Eagle', 'GOLDEN EAGLE', 1, 'same mark'],
    ['gold-fish', 'GOLDFISH', 1, 'same letters, spaced differently'],
    ['moms', "MOM'S", 1, 'same mark'],
    ['zentara', 'ZENTERA', 0.85, 'one letter differs'],
    ['zentara', 'ZENTARAH', 0.9, 'one letter more'],
    ['zentara', 'ZENTAR', 0.85, 'one letter less'],
    ['zentara', 'ZETNARA', 0.8, 'two letters swapped'],
    ['zentaralux', 'ZENTERALUKS', 0.85, 'sounds the same: SNTRLKS'],
    ['quanta', 'KWANTA', 0.85, 'sounds the same: KNT'],
    ['cue', 'KEY', 0.15, 'sounds the same: K'],
    ['quick moon', 'KWIK MUNE', 0.8, 'said the same: quick, kwik'],
    ['fone moon studio', 'PHONE LAMP STUDIO', 0.65, 'sounds the same: fone, phone'],
    ['silver otter club', 'OTTER SILVER CLUB', 0.9, 'same words in another order'],
    ['otters', 'OTTER', 0.93, 'plural: otters, otter'],
    ['berry house', 'BERRIES HOUSE', 0.88, 'plural: berry, berries'],
    ['2 otters', 'TWO OTTERS', 0.85, 'said the same: 2, two'],
    ['too otters', '2 OTTERS', 0.85, 'said the same: too, 2'],
    ['home 4 otters', 'HOME FOR OTTERS', 0.9, 'said the same: 4, for'],
    ['4ever otter', 'FOREVER OTTER', 0.88, 'sounds the same: 4ever, forever'],
    ['gold fish pond', 'THE GOLDFISH POND', 0.84, 'joined: goldfish'],
    ['the goldfish pond', 'GOLD FISH POND', 0.84, 'split: gold fish'],
    ['otter', 'OTTER STORE', 0.85, 'contained in the mark'],
    ['otter store', 'OTTER', 0.85, 'contains the mark'],
    ['otter', 'SILVEROTTER', 0.5, 'its letters are contained in the mark'],
    ['silverotter', 'OTTER', 0.5, 'contains the letters of the mark'],
    ['zent', 'ZENTARA', 0.75, 'begins the same'],
    ['silver otter', 'OTTER LAMP', 0.5, 'shares: otter'],
  ] as const) {
    const { score, details } = match(query, mark)
    assert.ok(score >= atLeast, `${query} / ${mark}: ${score}`)
    assert.ok(details.reasons.includes(reason), `${query} / ${mark}: ${details.reasons.join('; ')}`)
  }
})

test('the more similar mark scores higher', () => {
  for (const [query, ...marks] of [
    ['otter', 'OTTER', 'OTTERS', 'OTER', 'OTTER LAMP', 'SILVER OTTER LAMP', 'BANANA'],
    ['silver otter', 'SILVER OTTER', 'SILVER OTTERS', 'OTTER SILVER', 'SILVER LAMP', 'COPPER LAMP'],
    ['quanta', 'QUANTA', 'KWANTA', 'QUANTUM LEAP', 'LEAP'],
    // A shared rare word counts more than a shared common one.
    ['the otter', 'AN OTTER', 'THE LAMP'],
    ['otter club', 'OTTER HOUSE', 'LAMP CLUB'],
  ] as const) {
    const scores = marks.map((mark) => score(query, mark))
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a),
      `${query}: ${scores.join(' ')}`,
    )
    assert.equal(new Set(scores).size, scores.length)
  }
})

test('a pseudo mark matches, and scores slightly less than the mark itself', () => {
  const { score, details } = match('forever young', '4EVRYUNG', 'FOREVER YOUNG')
  assert.equal(score, 0.99)
  assert.deepEqual(details.reasons, ['read as: FOREVER YOUNG'])
  assert.equal(details.exactMatch, false)
  assert.equal(details.phoneticMatch, true)
  assert.ok(details.fuzzyDistance > 0)
  assert.ok(match('forever yung', '4EVRYUNG', 'LAMP', 'FOREVER YOUNG').details.reasons.length > 1)
})

test('a pseudo mark that matches worse than the mark changes nothing', () => {
  assert.deepEqual(match('otter', 'OTTERS', 'LAMP'), match('otter', 'OTTERS'))
  assert.equal(score('otter', 'OTTER', 'OTTER'), 1)
})

test('a mark without words matches only by its pseudo marks', () => {
  assert.equal(score('otter', ''), 0)
  assert.equal(score('otter', '', 'OTTER'), 0.99)
  assert.deepEqual(match('otter', '').details.reasons, [])
})

test('an empty query matches nothing, not even an empty mark', () => {
  for (const query of ['', '!?', 'яблоко']) {
    assert.equal(score(query, ''), 0)
    assert.equal(score(query, 'OTTER', 'otter'), 0)
    assert.equal(match(query, '').details.exactMatch, false)
  }
})

test('details give codes, distance and similarity of the mark', () => {
  const { details } = match('zentara', 'ZENTERA')
  assert.deepEqual(
    { ...details, stringSimilarity: Math.round(details.stringSimilarity * 1000) / 1000 },
    {
      exactMatch: false,
      phoneticMatch: true,
      fuzzyDistance: 1,
      stringSimilarity: 0.883,
      prefixMatch: false,
      phoneticCodes: 'SNTR',
      matchedCodes: 'SNTR',
      indexScore: details.indexScore,
      reasons: ['one letter differs', 'sounds the same: SNTR'],
    },
  )
  assert.equal(match('smith', 'SMITH').details.phoneticCodes, 'SM0 XMT')
})

const syllable = fc.constantFrom('ka', 'ca', 'qu', 'zen', 'sen', 'tor', 'lux', 'lucks', 'o', 'ph', 'f', 's', '2', '4')
const word = fc.array(syllable, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
const known = fc.constantFrom(
  'otter',
  'otters',
  'the',
  'club',
  'two',
  'to',
  '2',
  'berry',
  'berries',
  'gold',
  'fish',
  'goldfish',
)
const mark = fc.oneof(
  fc.array(fc.oneof(word, known), { maxLength: 5 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 400 }),
)

test('any two texts: between 0 and 1, and 1 only for the same letters', () => {
  fc.assert(
    fc.property(mark, mark, fc.array(mark, { maxLength: 2 }), (query, text, aliases) => {
      const prepared = prepareQuery(query, idf)
      const { score, details } = scoreMark(prepared, candidate(text, ...aliases))
      assert.ok(score >= 0 && score <= 1, `${score}`)
      assert.equal(score === 1, squashOf(query) !== '' && squashOf(query) === squashOf(text))
      assert.equal(scoreOf(prepared, candidate(text, ...aliases)), score)
      assert.equal(details.exactMatch, score === 1)
      assert.equal(details.fuzzyDistance === 0, details.exactMatch)
      assert.equal(details.stringSimilarity === 1, details.exactMatch)
      assert.ok(details.stringSimilarity >= 0 && details.indexScore >= 0)
      assert.equal(details.reasons.length > 0, score > 0)
      assert.equal(new Set(details.reasons).size, details.reasons.length)
    }),
    { numRuns: 2000 },
  )
})

test('any two texts: the score is symmetric', () => {
  fc.assert(
    fc.property(mark, mark, (a, b) => {
      assert.ok(Math.abs(score(a, b) - score(b, a)) < 1e-9, `${score(a, b)} ${score(b, a)}`)
    }),
    { numRuns: 2000 },
  )
})

test('any text matches itself with any spaces, and comparisons do not affect each other', () => {
  fc.assert(
    fc.property(mark, mark, mark, (query, text, other) => {
      const prepared = prepareQuery(query, idf)
      const first = scoreMark(prepared, candidate(text))
      scoreMark(prepared, candidate(other, text))
      scoreMark(prepareQuery(other, idf), candidate(text))
      assert.deepEqual(scoreMark(prepared, candidate(text)), first)
      const squash = squashOf(query)
      if (squash !== '') assert.equal(scoreOf(prepared, candidate(squash.split('').join(' '))), 1)
    }),
    { numRuns: 500 },
  )
})
