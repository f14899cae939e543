import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { composeRoutes } from './compose.ts'
import { loadConfig } from './settings/config.ts'

test('a damaged trademark index is logged and disables only trademark search', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'index.json'), '{"half": ')
  const said: string[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (_about: unknown, message: string) => void said.push(message) }
  const { routes, close } = composeRoutes(loadConfig({ ONOMA_TRADEMARK_INDEX: folder }), { log })
  await close()
  assert.match(said.join(), /trademark index cannot be used/)
  assert.ok(routes.length > 10)
})
