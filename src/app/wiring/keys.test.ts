import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { secureRandom as random } from '../../kernel/random.ts'
import { loadKeys } from './keys.ts'

function setUp(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const warnings: string[] = []
  const log = { warn: (_about: unknown, message: string) => void warnings.push(message) }
  const load = (keys: readonly string[] | null = null, dataDir = join(folder, 'data')) =>
    loadKeys({ config: { keys, dataDir }, random, log }).map((key) => Buffer.from(key).toString())
  return { folder, load, warnings }
}

test('configured keys are used unchanged, and no file is created', (t) => {
  const { folder, load } = setUp(t)
  assert.deepEqual(load(['one', 'two']), ['one', 'two'])
  assert.deepEqual(readdirSync(folder), [])
})

test('a key is generated once, readable by its owner only, and shared by all processes of the folder', (t) => {
  const { folder, load, warnings } = setUp(t)
  const [first] = load()
  assert.match(first!, /^[0-9a-f]{64}$/)
  assert.deepEqual(load(), [first])
  assert.deepEqual(readdirSync(join(folder, 'data')), ['keys'])
  assert.equal(statSync(join(folder, 'data', 'keys')).mode & 0o777, 0o600)
  assert.deepEqual(warnings, [])
})

test('the first key in the file is the current one', (t) => {
  const { folder, load } = setUp(t)
  const [old] = load()
  writeFileSync(join(folder, 'data', 'keys'), `brand-new-key\n\n${old}\n`)
  assert.deepEqual(load(), ['brand-new-key', old])
})

test('if the key cannot be stored, a key for this process is used, with a warning', (t) => {
  const { folder, load, warnings } = setUp(t)
  writeFileSync(join(folder, 'file'), '')
  assert.equal(load(null, join(folder, 'file')).length, 1)
  assert.match(warnings[0]!, /registration ids expire when this process ends/)
})

test('an empty or cut key file is moved aside, and a new key is kept from then on', (t) => {
  const { folder, load, warnings } = setUp(t)
  const [old] = load()
  for (const rest of ['', old!.slice(0, 5)]) {
    rmSync(join(folder, 'data'), { recursive: true })
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data', 'keys'), rest)
    const [fresh] = load()
    assert.match(fresh!, /^[0-9a-f]{64}$/)
    assert.deepEqual(load(), [fresh])
    const aside = readdirSync(join(folder, 'data')).find((name) => name.startsWith('keys.damaged-'))
    assert.equal(readFileSync(join(folder, 'data', aside!), 'utf8'), rest)
    assert.match(warnings.at(-1)!, /moved aside/)
  }
})
