import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compiledPath, compileModule, MODULES } from './compile-kernel.ts'

for (const name of MODULES)
  test(`${name}.wasm matches its source ${name}.wat`, async () => {
    assert.deepEqual(readFileSync(compiledPath(name)), Buffer.from(await compileModule(name)))
  })
