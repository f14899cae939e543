import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { VARIANTS } from '../sandbox/trademark/variants.ts'
import { scoreTrademark } from './score-trademark.ts'
import { readPairs } from './score/pairs.ts'

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-score-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}

async function score(...args: string[]) {
  const lines: string[] = []
  const code = await scoreTrademark(args, (line) => lines.push(line))
  return { code, lines, text: lines.join('\n') }
}

suite('npm run score:trademark', () => {
  test('reports the recall of every kind of variant, and keeps the index for another run', async (t) => {
    const folder = await folderFor(t)
    const pairs = join(folder, 'pairs.csv')
    const index = join(folder, 'index')
    await writeFile(pairs, 'cited mark,query,class\nZYLOQUENT,SILOKWENT,9\n"QUERTAVIN, THE",KWERTAVIN,\n')
    const first = await score('--size', '2000', '--queries', '8', '--index', index)
    assert.equal(first.code, 0, first.text)
    assert.match(first.lines[0]!, /^2,000 records, 8 queries of each kind/)
    for (const kind of VARIANTS) assert.match(first.text, new RegExp(`^${kind} +[01]\\.\\d{3} .* 8$`, 'm'))
    assert.match(first.text, /^exact +1\.000 ≥ 1\.00 +1\.000 +8$/m)

    const again = await score('--size', '2000', '--queries', '8', '--index', index, '--pairs', pairs)
    assert.deepEqual(again.lines.slice(1, 13), first.lines.slice(1))
    assert.match(again.text, /^pairs +[01]\.\d00 +[01]\.\d00 +2$/m)
    assert.match(again.text, /^pairs in class +1\.000 +1\.000 +1$/m)
    assert.ok((await readdir(index)).includes('index.json'))
  })

  test('rejects an index that is too small, and options that are not numbers', async (t) => {
    const index = join(await folderFor(t), 'index')
    await score('--size', '100', '--queries', '1', '--index', index)
    await assert.rejects(score('--size', '2000', '--index', index), /has 100 records, not 2000/)
    const wrong = await score('--size', 'many')
    assert.equal(wrong.code, 2)
    assert.match(wrong.text, /usage: npm run score:trademark/)
  })
})

test('pairs are read from CSV with quotes, with and without a class, and a bad line is named', async (t) => {
  const path = join(await folderFor(t), 'pairs.csv')
  await writeFile(path, '"SAY ""HI""",SAY HIGH,25\r\n\r\nALPHA,ALFA,\r\nBETA , BEETA\r\n')
  assert.deepEqual(await readPairs(path), [
    { cited: 'SAY "HI"', query: 'SAY HIGH', class: '025' },
    { cited: 'ALPHA', query: 'ALFA', class: undefined },
    { cited: 'BETA', query: 'BEETA', class: undefined },
  ])
  await writeFile(path, 'ALPHA,ALFA\nBETA\n')
  await assert.rejects(readPairs(path), /line 2: a cited mark and a query are needed/)
  await writeFile(path, 'ALPHA,ALFA,nine\n')
  await assert.rejects(readPairs(path), /line 1: nine is not the number of a class/)
  await writeFile(path, 'cited,query,class\n')
  await assert.rejects(readPairs(path), /holds no pairs/)
})
