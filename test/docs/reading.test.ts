import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseCommands, splitCommandLine } from './commands.ts'
import { parseFences } from './fences.ts'
import { shapeDifference } from './output-shape.ts'

suite('reading pages', () => {
  test('fences are found with their language, line and text, indented ones too', () => {
    const page = 'text\n```sh\none\n\ntwo\n```\n1. item\n\n   ````ts\n   a\n     b\n   ```\n   ````\n'
    assert.deepEqual(parseFences('p.md', page), [
      { file: 'p.md', line: 2, language: 'sh', text: 'one\n\ntwo' },
      { file: 'p.md', line: 9, language: 'ts', text: 'a\n  b\n```' },
    ])
    assert.throws(() => parseFences('p.md', '```\nopen'), /p\.md:1: the fence is never closed/)
  })

  for (const [line, parts, comment] of [
    ['npm ci && npm start   # the API', ['npm ci', 'npm start'], '# the API'],
    [`curl 'a&&b#c' -H "d # e"`, [`curl 'a&&b#c' -H "d # e"`], ''],
    ['curl http://a/#b', ['curl http://a/#b'], ''],
    [String.raw`echo \" # " x`, [String.raw`echo \"`], '# " x'],
    ['# nothing but a comment', [], '# nothing but a comment'],
  ] as const) {
    test(`the commands of ${line}`, () => assert.deepEqual(splitCommandLine(line), { parts, comment }))
  }

  test('a block of shell is its commands, with what was exported before them', () => {
    const text = 'export KEY=a\none --x \\\n  y   # exits with 3\n\ncat <<EOF\n# body\nEOF\ntwo -d \'{\n  "a": 1\n}\''
    const setup = ['export KEY=a']
    assert.deepEqual(parseCommands({ language: 'sh', text }), [
      { text: 'one --x \\\n  y', setup, exitCode: 3 },
      { text: 'cat <<EOF\n# body\nEOF', setup, exitCode: 0 },
      { text: 'two -d \'{\n  "a": 1\n}\'', setup, exitCode: 0 },
    ])
  })

  test('in a console block, what follows a command is its output', () => {
    assert.deepEqual(parseCommands({ language: 'console', text: '$ one\n$ two && three\nline\n\nline # 2' }), [
      { text: 'one', setup: [], exitCode: 0 },
      { text: 'two', setup: [], exitCode: 0 },
      { text: 'three', setup: [], exitCode: 0, shown: 'line\n\nline # 2' },
    ])
  })

  test('a crontab line is its command', () => {
    assert.deepEqual(parseCommands({ language: 'crontab', text: '30 6 * * *  cd /srv && run it' }), [
      { text: 'run it', setup: ['cd /srv'], exitCode: 0 },
    ])
  })
})

suite('the shape of an output', () => {
  const json = '{"name":"a","at":"2026-11-15T12:00:00.000Z","ms":31,"list":["x"],"more":{"ok":true}}'
  for (const [name, shown, actual, same] of [
    ['other times and numbers', json, json.replace('31', '7').replace('15T12', '16T09'), true],
    ['another text', json, json.replace('"a"', '"b"'), false],
    ['another boolean', json, json.replace('true', 'false'), false],
    ['a key less', json, json.replace('"ms":31,', ''), false],
    ['a key more', json, json.replace('"ms":31', '"ms":31,"new":1'), false],
    ['another type', json, json.replace('31', '"31"'), false],
    ['a longer list', json, json.replace('["x"]', '["x","y"]'), false],
    ['no time where one is shown', json, json.replace('2026-11-15T12:00:00.000Z', 'soon'), false],
    ['no JSON at all', json, 'error', false],
    ['lines of JSON', '{"a":1}\n{"b":1}', '{"a":2}\n{"b":2}\n', true],
    ['lines of JSON, one of them another', '{"a":1}\n{"b":1}', '{"a":2}\n{"c":2}\n', false],
    [
      'text with other numbers',
      'Wrote 12 files to http://127.0.0.1:8080/x.',
      'Wrote 3 files to http://127.0.0.1:9/x.',
      true,
    ],
    ['a hash after a number', 'x402,0.02,0x1f9840a85d5a,,ok', 'x402,0.05,0xabcdefabcdef,,ok', true],
    ['text that is left out', 'first\n…\nlast (a.b)', 'first\nanything\nat all\nlast (a.b)', true],
    ['another sentence', 'first (a.b)', 'first (aXb)', false],
  ] as const) {
    test(`${name}: ${same ? 'the same' : 'another'} shape`, () => {
      assert.equal(shapeDifference(shown, actual) === null, same, shapeDifference(shown, actual) ?? '')
    })
  }
})
