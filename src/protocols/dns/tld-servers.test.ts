import assert from 'node:assert/strict'
import { test } from 'node:test'
import catalogue from '../../../data/tlds.json' with { type: 'json' }
import { loadTldServers } from './tld-servers.ts'

test('every TLD of the catalogue has servers, at least one of them over IPv4', () => {
  const servers = loadTldServers()
  const { tlds } = catalogue
  for (const { tld } of tlds)
    assert.ok(
      servers.find(tld).some(({ family, port }) => family === 4 && port === 53),
      tld,
    )
  assert.equal(servers.find('com').length, 26)
  assert.equal(tlds.filter(({ tld }) => servers.isSigned(tld)).length, 504)
})

test('an unknown TLD has no servers', () => {
  const servers = loadTldServers()
  for (const tld of ['', 'nosuch', 'constructor', '__proto__']) {
    assert.deepEqual(servers.find(tld), [])
    assert.equal(servers.isSigned(tld), false)
  }
})

test('an operator replaces the servers of a TLD, and only of that', () => {
  const servers = loadTldServers({ com: ['127.0.0.1:5300'], lab: ['[::1]:5300'] })
  assert.deepEqual(
    servers.find('com').map(({ text }) => text),
    ['127.0.0.1:5300'],
  )
  assert.deepEqual(
    servers.find('lab').map(({ text }) => text),
    ['[::1]:5300'],
  )
  assert.equal(servers.find('net').length, 26)
})

const wrong: [unknown, RegExp][] = [
  [[], /wrong at the top/],
  [{ com: [] }, /wrong at com/],
  [{ com: '127.0.0.1' }, /wrong at com/],
  [{ com: ['ns.example.net'] }, /name servers of \.com are wrong: "ns\.example\.net" is not the address/],
  [{ 'Not a TLD': ['127.0.0.1'] }, /wrong at Not a TLD/],
]
for (const [given, message] of wrong) {
  test(`${JSON.stringify(given)} is refused in one line`, () => assert.throws(() => loadTldServers(given), message))
}
