import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { violations, type Tree } from './support/floors.ts'
import { readSource } from './support/source.ts'

/** Files of `src` that may be longer than 300 lines, each with the reason. */
const LONG: Record<string, string> = {}

test('the house stands: every import goes down, and time, chance, network and settings come in as arguments', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync(['src/**/*.ts', 'sandbox/**/*.ts'], { cwd: root })
  const tree = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  assert.ok(files.includes('src/kernel/endpoint.ts'), 'the files of the house were not found')
  assert.deepEqual(violations(tree, { dependencies: Object.keys(dependencies), long: LONG }), [])
})

/** What is wrong with a made-up tree, as `file: reason`. */
const complaints = (tree: Tree, long: Record<string, string> = {}) =>
  violations(tree, { dependencies: ['zod', '@scope/server', 'undici', 'rou3'], long }).map(
    ({ file, reason }) => `${file}: ${reason}`,
  )

suite('the floors are kept', () => {
  const allowed: [string, string][] = [
    ['src/kernel/names.ts', "import { z } from 'zod'\nimport './clock.ts'"],
    ['src/protocols/rdap/read.ts', "import '../../kernel/names.ts'\nimport './words.ts'"],
    ['src/whois/service.ts', "import './contract.ts'\nimport '../tlds/catalogue.ts'\nimport '../kernel/names.ts'"],
    ['src/whois/sources/rdap.ts', "import '../registry.ts'\nimport '../../protocols/rdap/read.ts'"],
    [
      'src/whois/whois.test.ts',
      "import './sources/rdap.ts'\nimport '../../sandbox/world.ts'\nimport fc from 'fast-check'",
    ],
    ['src/kernel/names.test.ts', "import './names.fixture.ts'"],
    ['src/kernel/names.fixture.ts', "import { createServer } from 'node:http'"],
    ['src/whois/whois2.test.ts', "import { startDoor } from '../../test/support/door.ts'"],
    ['src/surfaces/http/door.ts', "import { createServer } from 'node:http'\nimport { addRoute } from 'rou3'"],
    ['src/surfaces/mcp/mount.ts', "import type { Mount } from '../http/exchange.ts'\nimport type {} from 'node:http'"],
    ['src/surfaces/page/page.ts', "import type { Whois } from '../../whois/service.ts'\nimport '@scope/server/stdio'"],
    [
      'src/app/compose.ts',
      "import '../whois/sources/rdap.ts'\nimport '../surfaces/http/door.ts'\nimport '../../package.json'",
    ],
    ['src/tlds/catalogue.ts', "import data from '../../data/tlds.json' with { type: 'json' }"],
    ['src/intel/sources/egress/proxy.ts', "import { createServer } from 'node:http'"],
    ['src/kernel/upstream/agent.ts', "import { Agent } from 'undici'"],
    ['sandbox/world.ts', "import '../src/app/compose.ts'\nimport 'node:http'"],
  ]
  for (const [file, text] of allowed)
    test(`${file} may import what it should`, () => assert.deepEqual(complaints({ [file]: text }), []))

  const forbidden: [string, string, RegExp][] = [
    ['src/kernel/names.ts', "import '../tlds/catalogue.ts'", /the kernel imports only the kernel/],
    ['src/kernel/names.test.ts', "import '../tlds/catalogue.ts'", /the kernel imports only the kernel/],
    ['src/protocols/rdap/read.ts', "import '../dns/message.ts'", /a protocol imports only the kernel/],
    ['src/protocols/rdap/read.ts', "import '../../whois/registry.ts'", /a protocol imports only the kernel/],
    ['src/whois/service.ts', "import type { A } from '../availability/service.ts'", /a capability imports only/],
    ['src/whois/service.ts', "import '../tlds/contract.ts'", /a capability imports only/],
    ['src/whois/routes.ts', "import '../surfaces/http/door.ts'", /a capability imports only/],
    ['src/whois/service.ts', "import '../app/config.ts'", /a capability imports only/],
    ['src/whois/service.ts', "import '../protocols/rdap/read.ts'", /only the sources of a capability/],
    ['src/whois/service.ts', "import './sources/rdap.ts'", /only app\/compose\.ts picks a source/],
    ['src/surfaces/mcp/tools.ts', "import { whois } from '../../whois/service.ts'", /only types/],
    ['src/surfaces/mcp/tools.ts', "export * from '../http/door.ts'", /only types/],
    ['src/surfaces/mcp/tools.ts', "import type { C } from '../../app/config.ts'", /a surface imports only the kernel/],
    ['src/surfaces/mcp/tools.ts', "import { createServer } from 'node:http'", /only surfaces\/http serves HTTP/],
    ['src/whois/routes.ts', "import type { Server } from 'node:http'", /only surfaces\/http serves HTTP/],
    ['src/intel/sources/chromium.ts', "import { createServer } from 'node:http'", /only surfaces\/http serves HTTP/],
    ['src/intel/sources/egress/proxy.ts', "import { addRoute } from 'rou3'", /only surfaces\/http serves HTTP/],
    ['src/whois/routes.ts', "const { addRoute } = await import('rou3')", /only surfaces\/http serves HTTP/],
    ['src/whois/sources/rdap.ts', "import { request } from 'undici'", /only kernel\/upstream asks/],
    ['src/whois/service.ts', "import fc from 'fast-check'", /does not have this package in production/],
    ['src/app/compose.ts', "import '../../sandbox/world.ts'", /src does not know the sandbox/],
    ['src/app/compose.ts', "import '../../test/support/door.ts'", /src does not know it/],
    ['src/app/compose.ts', "type D = import('../../bench/load.ts').Load", /src does not know it/],
    ['src/app/compose.ts', 'const x = await import(`../../scripts/${name}.ts`)', /computed at run time/],
    ['src/app/compose.ts', "import '../kernel/names.test.ts'", /this is for tests only/],
    ['src/kernel/names.ts', "import './names.fixture.ts'", /this is for tests only/],
    ['src/kernel/names.test.ts', "import './clock.test.ts'", /this is for tests only/],
    ['src/loose.ts', 'export const a = 1', /stands in no room/],
    ['sandbox/world.ts', "import '../test/support/door.ts'", /sandbox does not know it/],
  ]
  for (const [file, text, reason] of forbidden) {
    test(`${file} may not say ${text}`, () => {
      const found = complaints({ [file]: text })
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0]!, reason)
      assert.ok(found[0]!.startsWith(`${file}: `))
    })
  }
})

suite('time, chance, network and settings are arguments', () => {
  const said: [string, RegExp][] = [
    ['const now = Date.now()', /clock of the machine/],
    ['const now = new Date()', /clock of the machine/],
    ['const now = new Date', /clock of the machine/],
    ['const now = performance.now()', /clock of the machine/],
    ['const dice = Math.random()', /its own chance/],
    ['const id = crypto.randomUUID()', /its own chance/],
    ['const answer = await fetch(url)', /asks the network/],
    ['const answer = await globalThis.fetch(url)', /asks the network/],
    ['const { PORT } = process.env', /reads the environment/],
  ]
  for (const [text, reason] of said) {
    test(`a rule may not say ${text}`, () => {
      const [first, ...others] = complaints({ 'src/whois/verdict.ts': text })
      assert.match(first ?? 'nothing found', reason)
      assert.deepEqual(others, [])
    })
  }

  test('the places made for it may, and so may tests', () => {
    const all = said.map(([text]) => text).join('\n')
    const clock = 'const now = () => Date.now()'
    assert.deepEqual(complaints({ 'src/kernel/clock.ts': clock, 'src/app/main.ts': all, 'src/x/x.test.ts': all }), [])
  })

  test('a date made from a value, a method called fetch, a comment and a string are no harm', () => {
    const text = "new Date(clock.now()) // Date.now()\n/* fetch(x) */ cache.fetch(key); say('process.env')"
    assert.deepEqual(complaints({ 'src/whois/verdict.ts': text }), [])
  })
})

suite('nothing goes round in circles', () => {
  test('a circle through types is a circle', () => {
    const tree = {
      'src/whois/a.ts': "import type { B } from './b.ts'",
      'src/whois/b.ts': "import { c } from './deep/c.ts'",
      'src/whois/deep/c.ts': "export { a } from '../a.ts'",
    }
    assert.deepEqual(complaints(tree), [
      'src/whois/a.ts: imports itself: src/whois/a.ts → src/whois/b.ts → src/whois/deep/c.ts → src/whois/a.ts',
    ])
  })

  test('two ways to the same file are not', () => {
    const tree = { 'src/x/a.ts': "import './b.ts'\nimport './c.ts'", 'src/x/b.ts': "import './c.ts'", 'src/x/c.ts': '' }
    assert.deepEqual(complaints(tree), [])
  })
})

test('a file over 300 lines needs a reason, and a reason needs a file over 300 lines', () => {
  const tree = {
    'src/x/a.ts': 'x\n'.repeat(301),
    'src/x/b.ts': 'x\n'.repeat(300),
    'src/x/c.test.ts': 'x\n'.repeat(301),
  }
  assert.deepEqual(complaints(tree), ['src/x/a.ts: has 301 lines, more than 300'])
  assert.deepEqual(complaints(tree, { 'src/x/a.ts': 'one table' }), [])
  assert.deepEqual(complaints({}, { 'src/x/a.ts': 'one table' }), [
    'src/x/a.ts: needs no place in the list of long files',
  ])
})

suite('imports are read as the language reads them', () => {
  const specifiers = (text: string) => readSource(text).imports.map(({ specifier }) => specifier)

  test('static, side-effect, re-exported, type and dynamic imports are found', () => {
    const text = `import a, { type B } from './1.ts'
import * as c from "./2.ts"
import './3.ts'
export * from './4.ts'
export type { D } from './5.ts'
const e = await import('./6.ts')
type F = import('./7.ts').F
import {
  g, // a comment with 'quotes' and from './no.ts'
} from './8.ts'`
    const expected = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `./${n}.ts`)
    assert.deepEqual(new Set(specifiers(text)), new Set(expected))
  })

  test('what only looks like an import is not one', () => {
    const text = [
      "// import './a.ts'",
      'const s = "import \'./b.ts\'" + \'import("./c.ts")\'',
      "const t = `import './d.ts' ${x ? `from './e.ts'` : '}'} from './f.ts'`",
      "const r = /['\"]import '.\\/g.ts/ ; const half = a / b / c",
      "loader.import('./h.ts'); import.meta.url",
    ].join('\n')
    assert.deepEqual(specifiers(text), [])
  })

  test('code after a template, a regular expression or a division is still seen', () => {
    const text = "const a = `${{ b: 1 }.b}`; const q = x.split(/[/'`]/); const h = n / 2\nimport './seen.ts'"
    assert.deepEqual(specifiers(text), ['./seen.ts'])
  })

  test('only a whole type import is one of types', () => {
    const { imports } = readSource("import type { A } from 'a'\nimport { type B } from 'b'\nimport { c } from 'c'")
    assert.deepEqual(
      imports.map(({ typeOnly }) => typeOnly),
      [true, false, false],
    )
  })
})
