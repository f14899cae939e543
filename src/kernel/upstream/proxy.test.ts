import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createProxyRules, isPrivateName, parseProxy } from './proxy.ts'

suite('which proxy a URL has', () => {
  const proxyOf = (url: string, settings: Partial<Parameters<typeof createProxyRules>[0]>) =>
    createProxyRules({ https: null, http: null, except: '', ...settings })(new URL(url))?.host

  test('the proxy for http serves https too, unless there is another', () => {
    assert.equal(proxyOf('https://a.example/', { http: 'http://p:1' }), 'p:1')
    assert.equal(proxyOf('https://a.example/', { http: 'http://p:1', https: 'http://q:2' }), 'q:2')
    assert.equal(proxyOf('http://a.example/', { https: 'http://q:2' }), undefined)
    assert.equal(proxyOf('https://a.example/', {}), undefined)
  })

  const DIRECT: [except: string, url: string, isDirect: boolean][] = [
    ['a.example', 'https://a.example/', true],
    ['a.example', 'https://www.a.example/', true],
    ['a.example', 'https://ba.example/', false],
    ['.a.example', 'https://a.example/', true],
    ['*.a.example', 'https://a.example/', false],
    ['*.a.example', 'https://www.a.example/', true],
    ['A.Example.', 'https://a.example./', true],
    ['b.example, a.example:8443', 'https://a.example:8443/', true],
    ['b.example a.example:8443', 'https://a.example/', false],
    ['a.example:443', 'https://a.example/', true],
    ['*', 'https://a.example/', true],
    ['*:80', 'https://a.example/', false],
    ['2001:db8::1', 'https://[2001:db8::1]/', true],
    ['[2001:db8::1]:444', 'https://[2001:db8::1]/', false],
    [' , ', 'https://a.example/', false],
  ]
  for (const [except, url, isDirect] of DIRECT) {
    test(`with the exceptions "${except}", ${url} is reached ${isDirect ? 'directly' : 'through the proxy'}`, () => {
      assert.equal(proxyOf(url, { https: 'http://p:1', except }), isDirect ? undefined : 'p:1')
    })
  }

  test('this machine is never asked for through a proxy', () => {
    for (const host of ['localhost', 'db.localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
      assert.equal(proxyOf(`http://${host}:8545/`, { http: 'http://p:1' }), undefined, host)
    }
  })
})

test('the URL of a proxy may lack its scheme, and may have a user and password with escapes', () => {
  assert.deepEqual(parseProxy('proxy.example:3128'), {
    protocol: 'http:',
    host: 'proxy.example:3128',
    hostname: 'proxy.example',
    port: 3128,
    authorization: undefined,
  })
  const { authorization, host } = parseProxy('https://us%40er:p%3Aw%25@[2001:db8::1]')
  assert.equal(host, '[2001:db8::1]')
  assert.equal(authorization, `Basic ${Buffer.from('us@er:p:w%').toString('base64')}`)
})

test('a proxy of another kind is rejected without repeating its password', () => {
  for (const text of ['socks5://me:secret@proxy.example:1080', 'http://', 'me:secret@:80']) {
    assert.throws(
      () => parseProxy(text),
      (error) => error instanceof RangeError && /HTTP proxy/.test(error.message) && !/secret/.test(error.message),
      text,
    )
  }
})

test('names of private networks are recognized', () => {
  for (const name of [
    'redis',
    'printer.local',
    'wiki.corp',
    'a.internal.',
    'METADATA.google.internal',
    'nas.home.arpa',
  ])
    assert.ok(isPrivateName(name), name)
  for (const name of ['rdap.verisign.com', 'local.example', 'corp.com', 'internal.org'])
    assert.ok(!isPrivateName(name), name)
})
