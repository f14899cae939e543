import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { parseCommands } from './commands.ts'
import { copyRepository } from './copy-repository.ts'
import { isTutorial, parseFences, ROOT } from './fences.ts'

const PAGE = 'CONTRIBUTING.md'
/** Half a minute on an idle machine, much more beside other work. */
const TIMEOUT_MS = 10 * 60_000
const markdown = readFileSync(join(ROOT, PAGE), 'utf8')
const fences = parseFences(PAGE, markdown).filter(isTutorial)

type Step = { readonly verb: string; readonly file: string; readonly text: string }

/** The blocks to paste, each with the verb and the file of the nearest sentence above it. */
const steps: Step[] = fences
  .filter(({ language }) => language === 'ts')
  .map(({ line, text }) => {
    const above = markdown
      .split('\n')
      .slice(0, line - 1)
      .join('\n')
    const [, verb = '', file = ''] = [...above.matchAll(/(Append to|Replace|Create) `([\w./-]+\.ts)`/g)].at(-1) ?? []
    return { verb, file, text }
  })

const commands = fences.filter(({ language }) => language === 'bash').flatMap(parseCommands)

suite('the tutorial of CONTRIBUTING.md, pasted into a copy of the repository', { timeout: TIMEOUT_MS }, () => {
  const above = mkdtempSync(join(tmpdir(), 'onoma-tutorial-'))
  const folder = join(above, 'onoma')
  before(() => {
    copyRepository(folder)
    for (const { verb, file, text } of steps) {
      if (verb === 'Append to') appendFileSync(join(folder, file), `${text}\n`)
      else writeFileSync(join(folder, file), `${text}\n`)
    }
  })
  after(() => rmSync(above, { recursive: true }))

  test('every block says into which file it is pasted', () => {
    assert.deepEqual(
      steps.map(({ verb, file }) => `${verb} ${file}`),
      ['Append to src/tlds/contract.ts', 'Replace src/tlds/routes.ts', 'Create test/http/find-tld.test.ts'],
    )
    assert.ok(commands.some(({ text }) => text.startsWith('npm run golden -- ')))
  })

  // Two at a time, because type checking takes as long as everything else.
  suite('the checks', { concurrency: 2, timeout: TIMEOUT_MS }, () => {
    test('types are right', { timeout: TIMEOUT_MS }, () => run('npm', ['run', 'check']))

    test(
      'the commands of the last step pass, and formatting and style are right',
      { timeout: TIMEOUT_MS },
      async (t) => {
        const files = steps.map(({ file }) => file)
        await t.test('oxfmt', { timeout: TIMEOUT_MS }, () => run('npx', ['oxfmt', '--check', ...files]))
        await t.test('oxlint', { timeout: TIMEOUT_MS }, () =>
          run('npx', ['oxlint', '--type-aware', '--deny-warnings', ...files]),
        )
        // The test above checks types; linting everything would take too long.
        const own = commands.filter(({ text }) => text !== 'npm run check' && text !== 'npm run lint')
        for (const { text } of own)
          await t.test(text, { timeout: TIMEOUT_MS }, () => run('bash', ['-c', `ONOMA_TEST_SETUP=off ${text}`]))
        const openapi = JSON.parse(readFileSync(join(folder, 'test/golden/openapi.json'), 'utf8')) as { paths: object }
        assert.ok(Object.hasOwn(openapi.paths, '/v1/tlds/{tld}'))
        await t.test('npx onoma tlds show com', { timeout: TIMEOUT_MS }, () =>
          run('npx', ['onoma', 'tlds', 'show', 'com']),
        )
      },
    )
  })

  async function run(command: string, args: readonly string[]): Promise<void> {
    // A new environment: with that of this run, the test runner inside would report to the one outside.
    const env = { PATH: process.env['PATH'], HOME: above, TMPDIR: above }
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    const [code] = (await once(child, 'close')) as [number | null]
    assert.equal(code, 0, output.slice(-4000))
  }
})
