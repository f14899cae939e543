import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findChromium } from './find.ts'

test('finds the first Chromium on PATH, the smallest build first; null if there is no Chromium', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-find-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  for (const bin of [one, two]) mkdirSync(bin)
  const path = `${one}:${two}`
  const install = (file: string, mode = 0o755) => {
    writeFileSync(file, '')
    chmodSync(file, mode)
  }
  assert.equal(findChromium({ path }), null)
  mkdirSync(join(one, 'chromium'))
  install(join(one, 'headless_shell'), 0o644)
  assert.equal(findChromium({ path }), null)
  install(join(two, 'google-chrome'))
  assert.equal(findChromium({ path }), join(two, 'google-chrome'))
  install(join(two, 'chromium-headless-shell'))
  assert.equal(findChromium({ path }), join(two, 'chromium-headless-shell'))
  assert.equal(findChromium({ path, given: 'google-chrome' }), join(two, 'google-chrome'))
  assert.equal(findChromium({ path, given: join(two, 'google-chrome') }), join(two, 'google-chrome'))
  assert.equal(findChromium({ path, given: '/nowhere/chromium' }), null)
})
