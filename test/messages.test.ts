import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { composeRoutes } from '../src/app/compose.ts'
import { version } from '../src/app/version.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import { parseInput } from '../src/kernel/input.ts'
import { openapiDocument } from '../src/surfaces/openapi/document.ts'
import { startDoor } from './support/door.ts'
import { readSource } from './support/source.ts'

/**
 * Paths and commands that exist only in the repository, which users of the service do not have. `/docs/…` and `/skill.md`
 * are addresses of the service.
 */
const REPOSITORY_REFERENCE = /(?<!\/)\bdocs\/|\bsrc\/|\bshared\/|(?<!\bskill)\.md\b|\bnpm (?:run|test|ci)\b/

test('no message in the source refers to a path or a command of the repository', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('src/**/*.ts', {
    cwd: root,
    exclude: (file) => /\.(?:test|fixture)\.ts$/.test(file),
  })
  assert.ok(files.length > 200, 'the files of the service were not found')
  const found = files.flatMap((file) => {
    const { strings } = readSource(readFileSync(join(root, file), 'utf8'))
    // A path that starts with a dot is used by the program, not shown.
    return strings
      .filter((text) => REPOSITORY_REFERENCE.test(text) && !text.startsWith('.'))
      .map((text) => `${file}: ${text}`)
  })
  assert.deepEqual(found, [])
})

test('no error response and no OpenAPI description refers to a path or a command of the repository', async (t) => {
  const { routes, close } = composeRoutes(loadConfig({}))
  after(close)
  const document = openapiDocument(routes, { version, publicUrl: 'http://127.0.0.1:8080' })
  assert.doesNotMatch(JSON.stringify(document), REPOSITORY_REFERENCE)
  const door = await startDoor(routes)
  t.after(() => door.stop())
  // Not configured, so none of them sends requests.
  const notConfigured = [
    '/v1/name-search-presence?name=example',
    '/v1/aftermarket/example.com?sources=source_a,source_b',
    '/v1/auctions',
    '/v1/trademark/search?q=acme',
    '/v1/intel?domain=example.com',
    '/v1/valuation/example.com',
  ]
  for (const path of notConfigured) {
    const reply = await door.get(path)
    assert.ok(reply.status === 501 || reply.status === 503, `${path}: ${reply.text}`)
    assert.match((reply.body as { message: string }).message, /\.$/)
    assert.doesNotMatch(reply.text, REPOSITORY_REFERENCE, path)
  }
  for (const { endpoint } of routes) {
    for (const field of Object.keys(endpoint.input.shape)) {
      const raw = { ...(endpoint.example.input as object), [field]: '\u0000' }
      assert.throws(
        () => parseInput(endpoint, raw),
        (error: Error) => !REPOSITORY_REFERENCE.test(error.message),
      )
    }
  }
})
