import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { violations, type Rules, type Tree } from './support/floors.ts'
import { readSource } from './support/source.ts'

/** Files of `src` that may be longer than 300 lines, each with the reason. */
const LONG_FILES: Record<string, string> = {}

/** Sibling folders that still import each other, each with the reason. Delete an entry once its pair is gone. */
const FOLDER_PAIRS: Record<string, string> = {}

test('imports only go down the layers; time, randomness, network and settings come in as arguments', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('{src,sandbox,bench,scripts}/**/*.{ts,js}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
  const tree = Object.fromEntries(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const expected = [
    'src/kernel/endpoint.ts',
    'bench/http.ts',
    'bench/load/pool.ts',
    'scripts/test.js',
    'scripts/test/main.ts',
  ]
  for (const file of expected) assert.ok(files.includes(file), `${file} was not found`)
  const rules = { dependencies: Object.keys(dependencies), longFiles: LONG_FILES, folderPairs: FOLDER_PAIRS }
  assert.deepEqual(violations(tree, rules), [])
})

/** The violations in a made-up tree, as `file: reason`. */
const violationsIn = (tree: Tree, rules: Partial<Rules> = {}) =>
  violations(tree, { dependencies: ['zod', '@scope/server', 'undici', 'rou3'], ...rules }).map(
    ({ file, reason }) => `${file}: ${reason}`,
  )

suite('each layer imports only what it may', () => {
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
    ['src/surfaces/page/mounts.ts', "import { sendHtml } from '../http/html.ts'"],
    ['src/kernel/ethereum/abi.ts', "import type { Abi } from 'viem'"],
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
    test(`${file} may import from its own layer and below`, () => assert.deepEqual(violationsIn({ [file]: text }), []))

  const forbidden: [string, string, RegExp][] = [
    ['src/kernel/names.ts', "import '../tlds/catalogue.ts'", /the kernel imports only the kernel/],
    ['src/kernel/names.test.ts', "import '../tlds/catalogue.ts'", /the kernel imports only the kernel/],
    ['src/protocols/rdap/read.ts', "import '../dns/message.ts'", /a protocol imports only the kernel/],
    ['src/protocols/rdap/read.ts', "import '../../whois/registry.ts'", /a protocol imports only the kernel/],
    ['src/whois/service.ts', "import type { A } from '../availability/service.ts'", /a capability imports only/],
    ['src/whois/service.ts', "import '../tlds/contract.ts'", /a capability imports only/],
    ['src/whois/routes.ts', "import '../surfaces/http/door.ts'", /a capability imports only/],
    ['src/whois/service.ts', "import '../app/config.ts'", /a capability imports only/],
    [
      'src/whois/service.ts',
      "import '../protocols/rdap/read.ts'",
      /only the sources of a capability import a protocol/,
    ],
    ['src/whois/service.ts', "import './sources/rdap.ts'", /only app\/compose\.ts picks a source/],
    ['src/surfaces/mcp/tools.ts', "import { whois } from '../../whois/service.ts'", /only types/],
    [
      'src/surfaces/mcp/tools.ts',
      "import type { C } from '../../app/config.ts'",
      /a surface imports only the kernel and surfaces/,
    ],
    ['src/surfaces/mcp/tools.ts', "import { createServer } from 'node:http'", /only surfaces\/http serves HTTP/],
    ['src/whois/routes.ts', "import type { Server } from 'node:http'", /only surfaces\/http serves HTTP/],
    ['src/intel/sources/chromium.ts', "import { createServer } from 'node:http'", /only surfaces\/http serves HTTP/],
    ['src/intel/sources/egress/proxy.ts', "import { addRoute } from 'rou3'", /only surfaces\/http serves HTTP/],
    ['src/whois/routes.ts', "const { addRoute } = await import('rou3')", /only surfaces\/http serves HTTP/],
    ['src/whois/sources/rdap.ts', "import { request } from 'undici'", /only kernel\/upstream sends requests/],
    ['src/whois/service.ts', "import fc from 'fast-check'", /not among the production dependencies/],
    ['src/app/compose.ts', "import '../../sandbox/world.ts'", /src must not import from sandbox/],
    ['src/app/compose.ts', "import '../../test/support/door.ts'", /src must not import from this folder/],
    ['src/app/compose.ts', "type D = import('../../bench/load.ts').Load", /src must not import from this folder/],
    ['src/app/compose.ts', 'const x = await import(`../../scripts/${name}.ts`)', /computed at run time/],
    ['src/app/compose.ts', "import '../kernel/names.test.ts'", /this is for tests only/],
    ['src/kernel/names.ts', "import './names.fixture.ts'", /this is for tests only/],
    ['src/kernel/names.test.ts', "import './clock.test.ts'", /this is for tests only/],
    ['src/loose.ts', 'export const a = 1', /belongs to no layer/],
    ['sandbox/world.ts', "import '../test/support/door.ts'", /sandbox must not import from this folder/],
  ]
  for (const [file, text, reason] of forbidden) {
    test(`${file} may not contain ${text}`, () => {
      const found = violationsIn({ [file]: text })
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0]!, reason)
      assert.ok(found[0]!.startsWith(`${file}: `))
    })
  }
})

suite('time, randomness, network and settings come in as arguments', () => {
  const ambient: [string, RegExp][] = [
    ['const now = Date.now()', /system clock/],
    ['const now = new Date()', /system clock/],
    ['const now = new Date', /system clock/],
    ['const now = performance.now()', /system clock/],
    ['const dice = Math.random()', /random values itself/],
    ['const id = crypto.randomUUID()', /random values itself/],
    ['const answer = await fetch(url)', /sends requests itself/],
    ['const answer = await globalThis.fetch(url)', /sends requests itself/],
    ['const { PORT } = process.env', /reads the environment/],
  ]
  for (const [text, reason] of ambient) {
    test(`a capability may not contain ${text}`, () => {
      const [first, ...others] = violationsIn({ 'src/whois/verdict.ts': text })
      assert.match(first ?? 'nothing found', reason)
      assert.deepEqual(others, [])
    })
  }

  test('app, kernel/clock.ts, scripts of pages and tests are exempt', () => {
    const all = ambient.map(([text]) => text).join('\n')
    const clock = 'const now = () => Date.now()'
    assert.deepEqual(violationsIn({ 'src/kernel/clock.ts': clock, 'src/app/main.ts': all, 'src/x/x.test.ts': all }), [])
    assert.deepEqual(violationsIn({ 'src/surfaces/page/assets/pay.js': all }), [])
  })

  test('a date made from a value, a method called fetch, a comment and a string are allowed', () => {
    const text = "new Date(clock.now()) // Date.now()\n/* fetch(x) */ cache.fetch(key); say('process.env')"
    assert.deepEqual(violationsIn({ 'src/whois/verdict.ts': text }), [])
  })
})

suite('nothing imports itself', () => {
  test('a cycle of type imports is found', () => {
    const tree = {
      'src/whois/a.ts': "import type { B } from './b.ts'",
      'src/whois/b.ts': "import { c } from './deep/c.ts'",
      'src/whois/deep/c.ts': "export { a } from '../a.ts'",
    }
    assert.deepEqual(violationsIn(tree), [
      'src/whois/a.ts: imports itself: src/whois/a.ts → src/whois/b.ts → src/whois/deep/c.ts → src/whois/a.ts',
    ])
  })

  test('two ways to the same file are allowed', () => {
    const tree = { 'src/x/a.ts': "import './b.ts'\nimport './c.ts'", 'src/x/b.ts': "import './c.ts'", 'src/x/c.ts': '' }
    assert.deepEqual(violationsIn(tree), [])
  })

  test('a cycle in bench, scripts or sandbox is found', () => {
    for (const folder of ['bench/load', 'scripts/test', 'sandbox/names']) {
      const tree = { [`${folder}/a.ts`]: "import './b.ts'", [`${folder}/b.ts`]: "import type { A } from './a.ts'" }
      assert.deepEqual(violationsIn(tree), [
        `${folder}/a.ts: imports itself: ${folder}/a.ts → ${folder}/b.ts → ${folder}/a.ts`,
      ])
    }
  })

  test('bench and scripts may use any package, the clock and the network', () => {
    const text =
      "import { Agent } from 'undici'\nimport '../sandbox/world.ts'\nconst now = Date.now()\nawait fetch(url)"
    assert.deepEqual(violationsIn({ 'bench/a.ts': text, 'scripts/b.ts': text }), [])
  })
})

suite('sibling folders do not import each other', () => {
  const tree = {
    'src/x/a/1.ts': "import '../b/deep/1.ts'",
    'src/x/a/2.ts': '',
    'src/x/b/deep/1.ts': '',
    'src/x/b/deep/2.ts': "import type { T } from '../../a/2.ts'",
  }

  test('two folders that import each other are found, even if no file imports itself', () => {
    assert.deepEqual(violationsIn(tree), [
      'src/x/a/1.ts: is half of src/x/a ↔ src/x/b; the other half is src/x/b/deep/2.ts',
    ])
  })

  test('the folders of bench, scripts and sandbox are checked too', () => {
    for (const top of ['bench', 'scripts', 'sandbox']) {
      const moved = Object.entries(tree).map(([file, text]) => [file.replace('src/x', top), text])
      assert.deepEqual(violationsIn(Object.fromEntries(moved)), [
        `${top}/a/1.ts: is half of ${top}/a ↔ ${top}/b; the other half is ${top}/b/deep/2.ts`,
      ])
    }
  })

  test('bench and scripts may not import each other', () => {
    const tools = {
      'bench/load/1.ts': "import '../../scripts/2.ts'",
      'scripts/1.ts': "import '../bench/load/2.ts'",
    }
    assert.deepEqual(violationsIn(tools), [
      'bench/load/1.ts: is half of bench ↔ scripts; the other half is scripts/1.ts',
    ])
  })

  test('a listed pair is allowed', () => {
    assert.deepEqual(violationsIn(tree, { folderPairs: { 'src/x/a ↔ src/x/b': 'a reason' } }), [])
  })

  test('one direction, a folder and its parent, and tests are allowed', () => {
    const { 'src/x/b/deep/2.ts': back, ...oneWay } = tree
    const parent = { 'src/x/0.ts': "import './c/1.ts'", 'src/x/c/1.ts': "import '../3.ts'", 'src/x/3.ts': '' }
    assert.deepEqual(violationsIn({ ...oneWay, ...parent, 'src/x/b/deep/2.test.ts': back }), [])
  })
})

test('a file over 300 lines needs a reason, and a reason needs a file over 300 lines', () => {
  const tree = {
    'src/x/a.ts': 'x\n'.repeat(301),
    'src/x/b.ts': 'x\n'.repeat(300),
    'src/x/c.test.ts': 'x\n'.repeat(301),
  }
  assert.deepEqual(violationsIn(tree), ['src/x/a.ts: has 301 lines, more than 300'])
  assert.deepEqual(violationsIn(tree, { longFiles: { 'src/x/a.ts': 'one table' } }), [])
  assert.deepEqual(violationsIn({}, { longFiles: { 'src/x/a.ts': 'one table' } }), [
    'src/x/a.ts: is listed as a long file but is not one',
  ])
})

suite('imports are found as TypeScript finds them', () => {
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

  test('text that only looks like an import is ignored', () => {
    const text = [
      "// import './a.ts'",
      'const s = "import \'./b.ts\'" + \'import("./c.ts")\'',
      "const t = `import './d.ts' ${x ? `from './e.ts'` : '}'} from './f.ts'`",
      "const r = /['\"]import '.\\/g.ts/ ; const half = a / b / c",
      "loader.import('./h.ts'); import.meta.url",
    ].join('\n')
    assert.deepEqual(specifiers(text), [])
  })

  test('code after a template, a regular expression or a division is still read', () => {
    const text = "const a = `${{ b: 1 }.b}`; const q = x.split(/[/'`]/); const h = n / 2\nimport './seen.ts'"
    assert.deepEqual(specifiers(text), ['./seen.ts'])
  })

  test('only `import type` counts as a type import', () => {
    const { imports } = readSource("import type { A } from 'a'\nimport { type B } from 'b'\nimport { c } from 'c'")
    assert.deepEqual(
      imports.map(({ typeOnly }) => typeOnly),
      [true, false, false],
    )
  })
})
