import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../settings/config.ts'
import { SETTINGS } from '../settings/table.ts'
import { findSwitches } from './switches.ts'

test('a service with everything off says for each what would switch it on, by settings that exist', () => {
  const config = loadConfig({ ONOMA_METRICS: 'off', HOST: '0.0.0.0', NODE_ENV: 'production' })
  const switches = findSwitches(config, () => true)
  assert.deepEqual(
    switches.map(({ what }) => what),
    [
      'Auctions',
      'Trademarks',
      'Offers at Sedo',
      'Offers at Dynadot',
      'Web search',
      'Screenshots',
      'Payments',
      'Metrics',
    ],
  )
  for (const { how } of switches)
    for (const [setting] of how.matchAll(/ONOMA_\w+/g)) assert.ok(setting in SETTINGS, `${setting} is not a setting`)
})

test('what is on is not listed', () => {
  const config = loadConfig({
    ONOMA_ENGINE_A_KIND: 'searxng',
    ONOMA_ENGINE_A_URL: 'https://search.example',
    ONOMA_METRICS: 'on',
  })
  const names = new Set(findSwitches(config, () => false).map(({ what }) => what))
  assert.ok(!names.has('Web search'))
  assert.ok(!names.has('Metrics'))
  assert.ok(!names.has('Auctions'))
})
