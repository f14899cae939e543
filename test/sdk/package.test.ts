import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import about from '../../package.json' with { type: 'json' }
import sdk from '../../sdk/package.json' with { type: 'json' }
import { type Document, sdkFiles } from '../../scripts/sdk-types.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_BYTES = 8 * 1024
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

test('the generated files are those of the endpoints (npm run build:sdk)', () => {
  const document = JSON.parse(read('test/golden/openapi.json')) as Document
  for (const [name, text] of Object.entries(sdkFiles(document))) assert.equal(read(`sdk/${name}`), text, name)
})

test('the package has no dependencies, the version of the service, and at most 8 KB', () => {
  assert.equal(sdk.version, about.version)
  assert.deepEqual(
    Object.keys(sdk).filter((field) => /dependencies/i.test(field)),
    [],
  )
  const scripts = sdk.files.filter((file) => file.endsWith('.js')).map((file) => read(`sdk/${file}`))
  assert.ok(gzipSync(scripts.join(''), { level: 9 }).length <= MAX_BYTES)
})
