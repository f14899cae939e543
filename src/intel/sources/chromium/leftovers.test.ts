import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../../kernel/clock.ts'
import { sweepLeftovers } from './leftovers.ts'

test('the profile folder of a killed browser is removed once it is old; other folders stay', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-leftovers-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const left = join(folder, 'playwright_chromiumdev_profile-aB3dEf')
  const foreign = join(folder, 'somebody-else')
  for (const path of [left, foreign]) mkdirSync(path)
  writeFileSync(join(left, 'Local State'), '{}')
  assert.equal(await sweepLeftovers(systemClock, folder), 0)
  assert.ok(existsSync(left))
  const later = { ...systemClock, now: () => systemClock.now() + 3_600_000 }
  assert.equal(await sweepLeftovers(later, folder), process.platform === 'linux' ? 1 : 0)
  assert.ok(existsSync(foreign))
  assert.equal(existsSync(left), process.platform !== 'linux')
})
