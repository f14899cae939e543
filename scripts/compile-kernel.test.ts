import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { compiledPath, compileModule, MODULES } from './compile-kernel.ts'

for (const name of MODULES)
  test(`the module ${name} that the trademark search runs is what its source compiles to`, async () => {
    assert.deepEqual(readFileSync(compiledPath(name)), Buffer.from(await compileModule(name)))
  })
