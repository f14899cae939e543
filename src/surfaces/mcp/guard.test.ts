import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGuard } from './guard.ts'

const local = createGuard({ host: '127.0.0.1', publicUrl: 'http://127.0.0.1:8080' })
const everywhere = createGuard({ host: '0.0.0.0', publicUrl: 'https://names.example' })
const outside = createGuard({
  host: '203.0.113.5',
  publicUrl: 'https://names.example/base',
  origins: ['https://app.example:8443/', 'https://other.example'],
})

test('a service on loopback accepts the loopback names as Host, with any port', () => {
  for (const host of [
    'localhost',
    'localhost:8080',
    'LOCALHOST:1',
    '127.0.0.1',
    '127.0.0.1:9',
    '[::1]',
    '[::1]:8080',
  ]) {
    assert.equal(local({ host }), undefined, host)
  }
})

test('a foreign name that resolves to this machine is rejected', () => {
  for (const host of [
    undefined,
    '',
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example@127.0.0.1',
    '127.0.0.1@evil.example',
    '169.254.169.254',
    '0.0.0.0',
    'a b',
  ]) {
    assert.match(local({ host }) ?? '', /Host/, host)
  }
})

test('a service on a wildcard address accepts its public name and loopback', () => {
  assert.equal(everywhere({ host: 'names.example' }), undefined)
  assert.equal(everywhere({ host: 'localhost:8080' }), undefined)
  assert.match(everywhere({ host: '192.168.1.7:8080' }) ?? '', /Host/)
})

test('a service on a public address accepts only its public name', () => {
  assert.equal(outside({ host: 'names.example' }), undefined)
  assert.equal(outside({ host: 'names.example:443' }), undefined)
  for (const host of ['localhost', '203.0.113.5', 'www.names.example']) assert.match(outside({ host }) ?? '', /Host/)
})

test('requests without Origin and from own pages are allowed; other origins are not', () => {
  const host = 'names.example'
  for (const origin of [undefined, 'https://names.example', 'http://localhost:6274', 'http://127.0.0.1']) {
    assert.equal(outside({ host, ...(origin && { origin }) }), undefined, origin)
  }
  for (const origin of [
    'null',
    'https://evil.example',
    'https://names.example.evil.example',
    'file://',
    'names.example',
  ]) {
    assert.match(outside({ host, origin }) ?? '', /Origin/, origin)
  }
})

test('a listed origin is allowed, compared exactly', () => {
  const host = 'names.example'
  assert.equal(outside({ host, origin: 'https://app.example:8443' }), undefined)
  assert.equal(outside({ host, origin: 'https://other.example' }), undefined)
  for (const origin of [
    'https://app.example',
    'http://app.example:8443',
    'http://other.example',
    'https://a.other.example',
  ]) {
    assert.match(outside({ host, origin }) ?? '', /Origin/, origin)
  }
})
