import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doubleMetaphone as oracle } from 'double-metaphone'
import fc from 'fast-check'
import { generateRegister } from '../../sandbox/trademark/generator.ts'
import { doubleMetaphone } from './double-metaphone.ts'
import { tokenize } from './tokenize.ts'

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')
/** What the rules look for. */
const PARTS =
  `bacher macher caesar chia chae chem chym charac charis chor orches archit orchid wicz ccia uccee ucces anger
  gney gli ger get gier jose bajador cabrillo alles allos dumb umber ier sugar sheim shoek sholm sholz schen scher schoo schuy
  sched tion tch tia tth tham thom ough augh igh ewski owsky wicz witz eaux aux zza zh sch van von mc kn gn ps pn wr x`.split(
    /\s+/,
  )

const check = (word: string) => assert.deepEqual(doubleMetaphone(word), oracle(word), word)

test('every word of up to three letters has the codes of the reference', () => {
  check('')
  for (const a of LETTERS) {
    check(a)
    for (const b of LETTERS) {
      check(a + b)
      for (const c of LETTERS) check(a + b + c)
    }
  }
})

test('words made of what the rules look for have the codes of the reference', () => {
  const part = fc.oneof(fc.constantFrom(...PARTS), fc.constantFrom(...LETTERS))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => check(parts.join(''))),
    { numRuns: 20_000 },
  )
  check('schermerhorn'.repeat(20))
})

test('the words of a register have the codes of the reference', () => {
  for (const { mark, owner } of generateRegister({ seed: 7, size: 2000 }))
    for (const word of tokenize(`${mark} ${owner}`)) if (/^[a-z]+$/.test(word)) check(word)
})
