import assert from 'node:assert/strict'
import test from 'node:test'
import { assertGolden, found, onoma } from './command.fixture.ts'

test('a pipe gets JSON on one line; on a terminal --json is indented', async () => {
  assert.equal((await onoma(['offers', 'a.com'])).stdout, `${JSON.stringify(found)}\n`.replace('\u001b', '\\u001b'))
  assert.equal(
    (await onoma(['offers', 'a.com', '--json'], { columns: 80 })).stdout,
    `${JSON.stringify(found, null, 2)}\n`,
  )
})

test('a terminal gets a table that fits its width', async () => {
  for (const columns of [120, 60, 30]) {
    const { stdout } = await onoma(['offers', 'a.com', '--no-color'], { columns })
    assertGolden(`table-${columns}`, stdout)
  }
})

test('few rows that do not fit, and results without a table, are shown field by field and not truncated', async () => {
  const few = { ...found, offers: [{ source: 'https://example.com/a/rather/long/link', tags: ['x'], makeOffer: true }] }
  const options = { columns: 40, answer: () => few, env: { NO_COLOR: '1' } }
  const rows = await onoma(['offers', 'a.com'], options)
  const fields = await onoma(['ens', 'records', 'update', 'a.eth', '0x1'], {
    ...options,
    answer: () => ({ got: { list: Array.from({ length: 20 }, (_, at) => `entry${at}`), yes: true, none: null } }),
  })
  const nothing = await onoma(['offers', 'a.com'], { ...options, answer: () => ({ ...found, offers: [] }) })
  assertGolden('records', [rows.stdout, fields.stdout, nothing.stdout].join('---\n'))
})

test('only terminals get colors, and NO_COLOR, --no-color and a dumb terminal turn them off', async () => {
  const coloured = '\u001b[1m'
  const run = async (argv: string[], env: Record<string, string>) =>
    (await onoma(['offers', 'a.com', ...argv], { columns: 80, env })).stdout.includes(coloured)
  assert.equal(await run([], {}), true)
  assert.equal(await run([], { NO_COLOR: '' }), true)
  assert.equal(await run([], { NO_COLOR: '1' }), false)
  assert.equal(await run([], { TERM: 'dumb' }), false)
  assert.equal(await run(['--no-color'], {}), false)
  assert.equal(await run(['--csv'], {}), false)
})

test('upstream text cannot control the terminal, in any format', async () => {
  for (const format of [[], ['--json'], ['--ndjson'], ['--csv']]) {
    const { stdout } = await onoma(['offers', 'a.com', '--no-color', ...format], { columns: 80 })
    assert.match(stdout, /31mred/)
    assert.ok(!stdout.includes('\u001b'))
  }
})

test('help lists every command by capability', async () => {
  assertGolden('help', (await onoma(['--help'], { columns: 80, env: { NO_COLOR: '1' } })).stdout)
})

test('the help of a command shows its options, errors and an example with its result', async () => {
  for (const words of ['offers', 'ens records update', 'look up']) {
    const { code, stdout } = await onoma([...words.split(' '), '--help'])
    assert.equal(code, 0)
    assertGolden(`help-${words.replaceAll(' ', '-')}`, stdout)
  }
})

test('the first words of a command list the commands that start with them', async () => {
  const asked = await onoma(['ens', '--help'])
  assertGolden('help-ens', asked.stdout)
  assert.equal(asked.code, 0)
  const mistaken = await onoma(['ens', 'records'])
  assert.equal(mistaken.code, 2)
  assert.match(mistaken.stderr, /ens records update/)
  assert.equal(mistaken.stdout, '')
})
