import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compiledPath, compileModule, MODULES } from './compile-kernel.ts'

for (const name of MODULES)
  test(`${name}.wasm is what ${name}.wat compiles to`, async () => {
    assert.deepEqual(readFileSync(compiledPath(name)), Buffer.from(await compileModule(name)))
  })
