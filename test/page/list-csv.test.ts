import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCsv } from '../../src/surfaces/cli/formats.ts'
import { csvCell } from '../../src/surfaces/page/assets/list-rows.js'

const CELLS = [
  'acme.com',
  '=cmd()',
  ' +1',
  '-5',
  '-x',
  '@a',
  '＝x',
  '\tx',
  'a,b',
  'say "hi"',
  'a\r\nb',
  'a\u0007b',
  'ü😀',
  '\ud800',
  '',
]

test('pages escape the cells of a CSV as the command line does', () => {
  for (const text of CELLS) {
    const fields = new Map([['x', text]])
    const [, line] = toCsv({ tables: [], fields } as unknown as Parameters<typeof toCsv>[0]).split('\r\n')
    assert.equal(csvCell(text), line, JSON.stringify(text))
  }
})
