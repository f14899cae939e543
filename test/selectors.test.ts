import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { toEventSelector, toFunctionSelector } from 'viem'

const SOURCES = join(import.meta.dirname, '..', 'src')
/** Hashing them when the program starts would take longer than reading its settings. */
const WRITTEN = /\/\*\* Of `([^`]+)`\. \*\/\nconst \w+: Hex = '(0x[0-9a-f]+)'/g
const FUNCTION_SELECTOR_LENGTH = '0x12345678'.length

test('selectors that are written out are those of their signatures', () => {
  const written = globSync('**/*.ts', { cwd: SOURCES }).flatMap((path) => [
    ...readFileSync(join(SOURCES, path), 'utf8').matchAll(WRITTEN),
  ])
  assert.ok(written.length >= 9, `only ${written.length} were found`)
  for (const [, signature = '', selector = ''] of written) {
    const computed =
      selector.length === FUNCTION_SELECTOR_LENGTH ? toFunctionSelector(signature) : toEventSelector(signature)
    assert.equal(selector, computed, signature)
  }
})
