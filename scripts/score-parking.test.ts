import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { scoreParkingPages } from './score-parking.ts'

async function run(...args: string[]) {
  const lines: string[] = []
  const code = await scoreParkingPages(args, (line) => lines.push(line))
  return { code, text: lines.join('\n') }
}

test('a folder of captures is scored in addition to our pages, and mistakes are listed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parking-'))
  t.after(() => rm(folder, { recursive: true }))
  const writeCase = async (name: string, label: object, html: string) => {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(label))
    await writeFile(join(folder, `${name}.html`), html)
  }
  await writeCase('sold', { host: 'example.com', parked: true }, '<title>example.com is for sale</title>')
  await writeCase('diary', { host: 'example.net', parked: false }, '<p>Rain again.</p>')
  await writeCase('mislabelled', { host: 'example.org', parked: true }, '<p>A choir.</p>')
  const { code, text } = await run(folder)
  assert.equal(code, 0)
  assert.match(text, /held-out half: \d+ pages/)
  assert.match(text, /3 pages, 2 of them parked\n {2}precision 1\.000 {2}recall 0\.500/)
  assert.match(text, /wrong: mislabelled is parked/)
})

test('an empty folder exits with 1, and two folders print the usage', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parking-'))
  t.after(() => rm(folder, { recursive: true }))
  assert.equal((await run(folder)).code, 1)
  assert.match((await run('a', 'b')).text, /usage/)
})
