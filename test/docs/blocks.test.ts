// needs: nginx
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { parseEnv, promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { dispatch } from '../../src/app/cli.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { serverFor } from '../support/servers/for-suites.ts'
import { startNginx } from '../support/servers/nginx.ts'
import { holdsCommands } from './commands.ts'
import { type Fence, fencesOfPages, isTutorial, pages, ROOT } from './fences.ts'

const nginx = serverFor('nginx')

/** How a block is checked, by its language. */
const CHECKS: Readonly<Record<string, (fence: Fence, t: TestContext) => unknown>> = {
  json: ({ text }) => assert.doesNotThrow(() => JSON.parse(text)),
  // Settings: lines of a .env file.
  ini: ({ text }) => assert.deepEqual(loadConfig(parseEnv(text)).warnings, []),
  nginx: async ({ text }, t) => {
    if (nginx.skip !== false) return t.skip(nginx.skip)
    const listenOn = (port: number) => `listen 127.0.0.1:${port};`
    // With an upstream it is all that stands in the http block.
    const server = await startNginx(nginx.address, (port) =>
      text.includes('upstream')
        ? text.replace('listen 80;', listenOn(port))
        : `server {\n${listenOn(port)}\n${text}\n}`,
    )
    await server.stop()
  },
  ts: ({ text }, t) => runProgram(text, t),
  // Diagrams, log lines, and configuration of programs that the tests do not have.
  text: () => {},
  caddyfile: () => {},
  // test/rolling-restart.test.ts runs it.
  haproxy: () => {},
}

suite('blocks of the pages that are not commands', () => {
  for (const fence of fencesOfPages().filter((one) => !holdsCommands(one) && !isTutorial(one))) {
    const { file, line, language } = fence
    test(`${file}:${line} (${language || 'no language'})`, async (t) => {
      const check = CHECKS[language]
      assert.ok(check, `Name the language: ${Object.keys(CHECKS).join(', ')}, or sh or console for commands.`)
      await check(fence, t)
    })
  }
})

/** Runs a program whose imports start at the root of the repository. */
async function runProgram(text: string, t: TestContext): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-docs-'))
  t.after(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'program.mts'), text.replaceAll(" from './", ` from '${ROOT}/`))
  await promisify(execFile)(process.execPath, [join(folder, 'program.mts')], { env: {} })
}

const ADDED_BY_TUTORIAL = 'test/http/find-tld.test.ts'

/** Page that another branch adds; remove when it is here. */
const EXPECTED_PAGES = new Set(['docs/trademark-index-format.md'])

function linkWorks(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (EXPECTED_PAGES.has(target)) return true
  if (!existsSync(join(ROOT, target))) return false
  if (heading === undefined) return true
  const headings = [...readFileSync(join(ROOT, target), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
    text!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return headings.includes(heading)
}

suite('commands, files and links named in sentences', () => {
  const texts = [...pages(), 'bench/README.md', 'data/PROVENANCE.md'].map(
    (file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
  )
  const named = (pattern: RegExp) =>
    texts.flatMap(([file, text]) => [...text.matchAll(pattern)].map(([, found]) => ({ file, found: found! })))

  test('every address is one of the OpenAPI document', () => {
    const shape = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'test/golden/openapi.json'), 'utf8')) as {
      paths: Record<string, Record<string, unknown>>
    }
    const known = new Set([
      ...Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${shape(path)}`),
      ),
      'GET /openapi.json',
      'GET /ready',
      'POST /mcp',
      // In the sandbox only; and the endpoint that the tutorial adds.
      'GET /v1/sandbox/echo',
      'POST /v1/sandbox/wallet',
      'GET /v1/tlds/{}',
    ])
    const addresses = named(/`((?:GET|POST) \/[^`?\s]*)/g)
    assert.ok(addresses.length > 20)
    assert.deepEqual(
      addresses.filter(({ found }) => !known.has(shape(found))),
      [],
    )
  })

  test('every TypeScript file exists', () => {
    const files = globSync('{src,test,scripts,sandbox,bench,examples}/**/*.ts', { cwd: ROOT }).map((file) => `/${file}`)
    const written = named(/`((?:[\w.-]+\/)*[\w.-]+\.ts)`/g)
    assert.ok(written.length > 20)
    assert.deepEqual(
      written.filter(({ found }) => found !== ADDED_BY_TUTORIAL && !files.some((file) => file.endsWith(`/${found}`))),
      [],
    )
  })

  test('every page in docs is in the index', () => {
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8')
    const missing = globSync('docs/**/*.md', { cwd: ROOT }).filter(
      (file) => file !== 'docs/README.md' && !index.includes(`](${file.replace('docs/', '')}`),
    )
    assert.deepEqual(missing, [])
  })

  test('every link to a heading or a file leads somewhere', () => {
    const links = named(/\]\((?!https?:)([^)\s]+)\)/g)
    assert.ok(links.length > 50)
    assert.deepEqual(
      links.filter(({ file, found }) => !linkWorks(file, found)),
      [],
    )
  })

  test('every npm script is one of package.json', () => {
    const scripts = named(/`npm run (?:--\S+ )*([\w:-]+)/g)
    assert.ok(scripts.length > 10)
    assert.deepEqual(
      scripts.filter(({ found }) => !Object.hasOwn(packageJson.scripts, found)),
      [],
    )
  })

  test('every onoma command is one of onoma --help', async () => {
    let help = ''
    const folder = mkdtempSync(join(tmpdir(), 'onoma-docs-'))
    await dispatch(['--help'], {
      stdout: { write: (text) => (help += text) },
      stderr: { write: (text) => assert.fail(text) },
      env: { ONOMA_DATA_DIR: folder },
      signal: new AbortController().signal,
    })
    rmSync(folder, { recursive: true })
    const known = [...help.matchAll(/^ {2}([a-z]+(?: [a-z]+)*)/gm)].map(([, words]) => words!)
    const commands = named(/`(?:npx )?onoma ([a-z]+(?: [a-z]+)*)/g)
    assert.ok(commands.length > 5)
    assert.deepEqual(
      commands.filter(({ found }) => !known.some((words) => `${found} `.startsWith(`${words} `))),
      [],
    )
  })
})
