import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/threat-model.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:attack|what happens) \|/.test(line))

suite('docs/threat-model.md', () => {
  test('names files and tests that exist', () => {
    const named = [...page.matchAll(/`((?:src|test|scripts)\/[^`]+)`/g)].map(([, file]) => file!)
    assert.ok(named.length > 60)
    assert.deepEqual(
      named.filter((file) => !existsSync(join(ROOT, file))),
      [],
    )
  })

  test('names for every attack a file that stops it and a test', () => {
    for (const row of rows) {
      const [, , stop = '', attacked = ''] = row.split(' | ').length === 3 ? ['', ...row.split(' | ')] : []
      assert.match(stop, /`[\w./-]+\.(?:ts|json)`/, row)
      assert.match(attacked, /`(?:src|test|scripts)\/[\w./-]+\.ts`/, row)
    }
    assert.ok(rows.length >= 30)
  })

  test('names commands that exist', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }
    const commands = [...page.matchAll(/`npm run ([\w:]+)`/g)].map(([, name]) => name!)
    assert.deepEqual(
      commands.filter((name) => !(name in scripts)),
      [],
    )
  })
})
