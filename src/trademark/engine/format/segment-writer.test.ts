import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { generateRegister } from '../../../../sandbox/trademark/generator.ts'
import { createNumberList } from './number-list.ts'
import { createSegmentWriter } from './segment-writer.ts'
import { createSpillFile } from './spill-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'onoma-segment-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('a segment whose values went to a temporary file equals one built in memory, and no file is left', () => {
  const records = [...generateRegister({ seed: 3, size: 1500 })]
  const written = [createSegmentWriter(), createSegmentWriter(join(folder, 'tokens'), 100)].map((writer, at) => {
    for (const [index, record] of records.entries()) writer.add(record, index + 1)
    return writer.write(join(folder, `segment-${at}`))
  })
  assert.deepEqual(written[1], written[0])
  assert.equal(readFileSync(join(folder, 'segment-1')).compare(readFileSync(join(folder, 'segment-0'))), 0)
  assert.deepEqual(readdirSync(folder).sort(), ['segment-0', 'segment-1'])
})

test('a list gives back what went to the file and what did not, and values after the last move can be read and removed', () => {
  const spill = createSpillFile(join(folder, 'lists'))
  const [list, other] = [createNumberList(spill), createNumberList(spill)]
  for (let value = 0; value < 1000; value++) {
    list.push(value)
    other.push(5000 - value)
    if (value % 300 === 299) for (const one of [list, other]) one.settle()
  }
  assert.equal(list.length, 1000)
  assert.equal(list.at(950), 950)
  list.truncate(990)
  list.push(7)
  assert.deepEqual([...list.view()], [...Array(990).keys(), 7])
  assert.equal(list.at(5), 5)
  assert.deepEqual(
    [...other.view()],
    Array.from({ length: 1000 }, (_, at) => 5000 - at),
  )
  spill.close()
})
