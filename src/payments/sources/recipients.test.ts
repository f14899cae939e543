import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bindRecipient } from './recipients.ts'

const RECIPIENT = '0xAbC0000000000000000000000000000000000001'

test('a recipient belongs to the ledger it was first used with', () => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-recipients-'))
  try {
    assert.equal(bindRecipient(folder, RECIPIENT, 'one'), undefined)
    assert.equal(bindRecipient(folder, RECIPIENT.toLowerCase(), 'one'), undefined, 'the next start')
    const problem = bindRecipient(folder, RECIPIENT, 'two')
    assert.match(problem!, /0xAbC0.* belongs to another payment ledger \(one\).*payments\.sqlite back.*ONOMA_PAY_TO/)
    assert.equal(bindRecipient(folder, '0x2', 'two'), undefined)
    assert.equal(bindRecipient(folder, RECIPIENT, 'one'), undefined, 'a refused start changes nothing')
    assert.deepEqual(readdirSync(folder), ['payments-recipients.json'])
    writeFileSync(join(folder, 'payments-recipients.json'), '{"0x')
    assert.match(bindRecipient(folder, RECIPIENT, 'one')!, /payments-recipients\.json cannot be read/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
