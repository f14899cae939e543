import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { composeRoutes } from '../compose.ts'
import { serve } from '../../kernel/upstream/loopback.fixture.ts'
import { systemClock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { loadConfig } from '../settings/config.ts'
import { createOutbound } from './outbound.ts'
import { openRegistries } from './registries.ts'

test('an invalid file of WHOIS servers fails the start with the reason', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'whois.json')
  const rows: [string, RegExp][] = [
    ['null', /ONOMA_WHOIS_SERVERS is not valid at its top level/],
    ['["whois.example"]', /ONOMA_WHOIS_SERVERS is not valid at its top level/],
    ['{"com": 43}', /ONOMA_WHOIS_SERVERS is not valid at com/],
    ['{"com": "whois.example:port"}', /not valid at com: must be host or host:port/],
    ['{', /ONOMA_WHOIS_SERVERS names a file that cannot be read or is not JSON/],
  ]
  for (const [text, message] of rows) {
    writeFileSync(file, text)
    assert.throws(() => composeRoutes(loadConfig({ ONOMA_WHOIS_SERVERS: file })), { message }, text)
  }
})

test('name servers of TLDs can come from a URL; if it fails, the bundled ones are used', async (t) => {
  const rows: [string, boolean][] = [
    ['{"com": ["192.0.2.7"]}', true],
    ['{"com": "192.0.2.7"}', false],
    ['<html>', false],
  ]
  for (const [text, isUsed] of rows) {
    const port = await serve(t, (_request, response) => response.end(text))
    const config = loadConfig({ ONOMA_SANDBOX: 'on', ONOMA_TLD_SERVERS: `http://127.0.0.1:${port}/servers.json` })
    const log = { debug() {}, info() {}, warn: () => void warnings++, error() {} }
    let warnings = 0
    const world = { catalogue: loadCatalogue(), clock: systemClock, random: secureRandom, log }
    const registries = openRegistries({ config, outbound: createOutbound({ config, ...world }), ...world })
    t.after(() => registries.close())
    await registries.start()
    await registries.loaded()
    const servers = registries.serversOf('com').map((server) => server.text)
    assert.equal(servers.join() === '192.0.2.7', isUsed, text)
    assert.ok(servers.length > 0)
    assert.equal(warnings, isUsed ? 0 : 1)
  }
})
