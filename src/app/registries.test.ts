import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { composeRoutes } from './compose.ts'
import { loadConfig } from './config.ts'

test('a file of WHOIS servers that is none is refused at the start, with what is wrong', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'whois.json')
  const rows: [string, RegExp][] = [
    ['null', /ONOMA_WHOIS_SERVERS is wrong at its top/],
    ['["whois.example"]', /ONOMA_WHOIS_SERVERS is wrong at its top/],
    ['{"com": 43}', /ONOMA_WHOIS_SERVERS is wrong at com/],
    ['{"com": "whois.example:port"}', /wrong at com: must be host or host:port/],
    ['{', /ONOMA_WHOIS_SERVERS names a file that cannot be read or is not JSON/],
  ]
  for (const [text, message] of rows) {
    writeFileSync(file, text)
    assert.throws(() => composeRoutes(loadConfig({ ONOMA_WHOIS_SERVERS: file })), { message }, text)
  }
})
