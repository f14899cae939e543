import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { problemsOf } from './config.fixture.ts'
import { loadConfig, settingsInForce } from './config.ts'

suite('proxies', () => {
  test('names in lower case win, as everywhere else', () => {
    const { proxy } = loadConfig({
      HTTPS_PROXY: 'http://upper:1',
      https_proxy: 'http://lower:2',
      HTTP_PROXY: 'plain:3',
      no_proxy: 'a.example',
    })
    assert.deepEqual(proxy, { https: 'http://lower:2', http: 'plain:3', except: 'a.example' })
    assert.equal(loadConfig({ HTTP_PROXY: 'http://upper:1', http_proxy: '' }).proxy, null)
  })

  test('exceptions without a proxy are no proxy', () => assert.equal(loadConfig({ NO_PROXY: '*' }).proxy, null))

  test('a proxy that is not one of HTTP stops the start, without its password', () => {
    const [problem = '', ...more] = problemsOf({ https_proxy: 'socks5://me:secret@proxy.example:1080' })
    assert.match(problem, /^HTTPS_PROXY must be the URL of an HTTP proxy, such as .*, not "…@proxy\.example:1080"\.$/)
    assert.deepEqual(more, [])
  })

  test('`onoma config` shows the proxy without its password, and where it comes from', () => {
    const env = { https_proxy: 'http://me:secret@proxy.example:3128' }
    const shown = settingsInForce(env, new Set(['https_proxy'])).settings.find(
      ({ setting }) => setting === 'HTTPS_PROXY',
    )
    assert.equal(shown?.value, '…@proxy.example:3128')
    assert.equal(shown.from, '.env file')
  })
})

suite('resolvers over HTTPS', () => {
  test('public ones are used only if the operator has named no resolver', () => {
    assert.equal(loadConfig({}).dohUrls.length, 2)
    assert.deepEqual(loadConfig({ ONOMA_DNS_SERVERS: '192.0.2.1' }).dohUrls, [])
    assert.deepEqual(loadConfig({ ONOMA_DOH_URLS: 'off' }).dohUrls, [])
    const urls = { ONOMA_DOH_URLS: 'https://a.example/dns-query, https://[2001:db8::1]/q' }
    assert.deepEqual(loadConfig({ ...urls, ONOMA_DNS_SERVERS: '192.0.2.1' }).dohUrls, [
      'https://a.example/dns-query',
      'https://[2001:db8::1]/q',
    ])
  })

  test('the sandbox has none: nothing may leave the machine', () => {
    assert.deepEqual(loadConfig({ ONOMA_SANDBOX: 'on', ONOMA_DOH_URLS: 'https://a.example/' }).dohUrls, [])
  })

  for (const bad of ['http://a.example/dns-query', 'dns.google', 'https://me:secret@a.example/', 'https://a.example/,'])
    test(`"${bad}" is rejected`, () => {
      const [problem = ''] = problemsOf({ ONOMA_DOH_URLS: bad })
      assert.match(problem, /^ONOMA_DOH_URLS must be https URLs/)
      assert.doesNotMatch(problem, /secret/)
    })

  test('a forwarder on this machine may speak http', () => {
    assert.deepEqual(loadConfig({ ONOMA_DOH_URLS: 'http://127.0.0.1:8053/' }).dohUrls, ['http://127.0.0.1:8053/'])
  })
})
