import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UpstreamError } from '../errors.ts'
import { checkTarget } from './guard.ts'
import { failing, guardedUpstreamFor, serve, upstreamFor } from './loopback.fixture.ts'

for (const url of [
  '',
  'example.com',
  '//example.com',
  'https://',
  'file:///etc/passwd',
  'ftp://example.com/',
  'data:text/plain,x',
  'unix:/run/x.sock',
  'javascript:alert(1)',
]) {
  test(`${JSON.stringify(url)} is rejected`, () =>
    assert.throws(() => checkTarget(url), { name: 'ForbiddenTargetError' }))
}

test('credentials in a URL are refused and not repeated', () => {
  for (const url of [
    'https://user:hunter2@example.com/',
    'https://hunter2@example.com/',
    'https://:hunter2@example.com/',
  ]) {
    assert.throws(
      () => checkTarget(url),
      (error: Error) => error.name === 'ForbiddenTargetError' && !error.message.includes('hunter2'),
    )
  }
})

test('by default, loopback and private addresses are refused, however they are spelled', async (t) => {
  let hits = 0
  const port = await serve(t, (_request, response) => void (hits++, response.end('inside')))
  const { request } = guardedUpstreamFor(t)
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '127.0.0.1.',
    '１２７.0.0.1',
  ]) {
    await assert.rejects(
      request({ url: `http://${host}:${port}/` }),
      failing('unavailable', /^refused: .* is not allowed here$/),
      host,
    )
  }
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00:ec2::254]', '[64:ff9b::a00:1]', '192.168.0.1']) {
    await assert.rejects(
      request({ url: `http://${host}/` }),
      failing('unavailable', /^refused: .* is not allowed here$/),
      host,
    )
  }
  assert.equal(hits, 0)
})

test('a public name with a private address is refused', async (t) => {
  let hits = 0
  const port = await serve(t, (_request, response) => void (hits++, response.end('inside')))
  const { request } = guardedUpstreamFor(t)
  await assert.rejects(
    request({ url: `http://rebind.example:${port}/` }),
    failing('unavailable', /^refused: .* is not allowed here$/),
  )
  assert.equal(hits, 0)
})

test('DNS rebinding has no effect: a name is looked up once', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('allowed'))
  const answers = ['127.0.0.1', '10.0.0.1', '10.0.0.1']
  let lookups = 0
  const { request } = upstreamFor(t, {
    lookup: (_hostname, _options, callback) => callback(null, [{ address: answers[lookups++]!, family: 4 }]),
  })
  assert.equal((await request({ url: `http://rebind.example:${port}/` })).text(), 'allowed')
  assert.equal(lookups, 1)
})

test('of several addresses, only allowed ones are connected to', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('allowed'))
  const asked: string[] = []
  const { request } = upstreamFor(t, {
    allow: (address) => (asked.push(address), address === '127.0.0.1'),
    lookup: (_hostname, _options, callback) =>
      callback(null, [
        { address: '10.0.0.1', family: 4 },
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]),
  })
  assert.equal((await request({ url: `http://mixed.example:${port}/` })).text(), 'allowed')
  assert.deepEqual(asked, ['10.0.0.1', '127.0.0.1', '::1'])
})

test('a redirect to a private address is not followed', async (t) => {
  let hits = 0
  const inside = await serve(t, (_request, response) => void (hits++, response.end('inside')))
  const outside = await serve(t, (_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.2:${inside}/` }).end()
  })
  const { request } = upstreamFor(t)
  await assert.rejects(
    request({ url: `http://127.0.0.1:${outside}/`, redirects: 3 }),
    failing('unavailable', /^refused: 127\.0\.0\.2:\d+ is an address that is not allowed here$/),
  )
  assert.equal(hits, 0)
})

const namedAt = (...hosts: string[]) => ({
  named: { has: (host: string) => hosts.includes(host), setting: 'SHOP_URL' },
})

test('a host in a setting may have any address, given as a name or as an address', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('inside'))
  for (const host of [`shop.internal:${port}`, `127.0.0.1:${port}`]) {
    const { request } = guardedUpstreamFor(t, namedAt(host))
    assert.equal((await request({ url: `http://${host}/` })).text(), 'inside', host)
  }
})

test('another host, or another port of a host in a setting, is refused, and the reason names the setting', async (t) => {
  let hits = 0
  const inside = await serve(t, (_request, response) => void (hits++, response.end('inside')))
  const refusals: string[] = []
  const onRefusal = (why: string) => void refusals.push(why)
  for (const [host, verb] of [
    ['127.0.0.1', 'is'],
    ['shop.internal', 'resolves to'],
    ['metadata.internal', 'resolves to'],
  ] as const) {
    const named = await serve(t, (_request, response) => {
      response.writeHead(302, { location: `http://${host}:${inside}/?key=secret` }).end()
    })
    const { request, observations } = guardedUpstreamFor(t, { ...namedAt(`shop.internal:${named}`), onRefusal })
    const why = `refused: ${host}:${inside} ${verb} a private address; name it in SHOP_URL to allow it`
    await assert.rejects(request({ url: `http://shop.internal:${named}/?key=secret`, redirects: 3 }), (error) => {
      assert.ok(failing('unavailable')(error))
      const { message, refusal, retryable } = error as UpstreamError
      assert.deepEqual([message, refusal, retryable], [why, why, false])
      return true
    })
    assert.equal(refusals.pop(), why)
    assert.equal(observations[0]!.error!.message, why)
  }
  assert.equal(hits, 0)
})
