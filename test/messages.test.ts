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

/** A reader of a message has a service or a command before them, not its repository. */
const REPOSITORY = /\bdocs\/|\bsrc\/|\bshared\/|\.md\b|\bnpm (?:run|test|ci)\b/

test('no message of the service names a path or a command of its repository', () => {
  const root = join(import.meta.dirname, '..')
  const files = globSync('src/**/*.ts', {
    cwd: root,
    exclude: (file) => /\.(?:test|fixture)\.ts$/.test(file),
  })
  assert.ok(files.length > 200, 'the files of the service were not found')
  const found = files.flatMap((file) => {
    const { strings } = readSource(readFileSync(join(root, file), 'utf8'))
    // A path that starts with a dot is one the program reads, not one it tells.
    return strings.filter((text) => REPOSITORY.test(text) && !text.startsWith('.')).map((text) => `${file}: ${text}`)
  })
  assert.deepEqual(found, [])
})

test('neither does any refusal a service without settings gives, nor its description of itself', async (t) => {
  const { routes, close } = composeRoutes(loadConfig({}))
  after(close)
  const document = openapiDocument(routes, { version, publicUrl: 'http://127.0.0.1:8080' })
  assert.doesNotMatch(JSON.stringify(document), REPOSITORY)
  const door = await startDoor(routes)
  t.after(() => door.stop())
  // Closed for want of a setting: none of them asks anybody outside.
  const closed = [
    '/v1/name-search-presence?name=example',
    '/v1/aftermarket/example.com?sources=source_a,source_b',
    '/v1/auctions',
    '/v1/trademark/search?q=acme',
    '/v1/intel?domain=example.com',
    '/v1/valuation/example.com',
  ]
  for (const path of closed) {
    const reply = await door.get(path)
    assert.ok(reply.status === 501 || reply.status === 503, `${path}: ${reply.text}`)
    assert.match((reply.body as { message: string }).message, /\.$/)
    assert.doesNotMatch(reply.text, REPOSITORY, path)
  }
  for (const { endpoint } of routes) {
    for (const field of Object.keys(endpoint.input.shape)) {
      const raw = { ...(endpoint.example.input as object), [field]: '\u0000' }
      assert.throws(
        () => parseInput(endpoint, raw),
        (error: Error) => !REPOSITORY.test(error.message),
      )
    }
  }
})
