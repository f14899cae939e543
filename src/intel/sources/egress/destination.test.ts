import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { isPublicAddress } from '../../../kernel/addresses.ts'
import { check, parseAuthority } from './destination.ts'

const never = new AbortController().signal

suite('parsing of destinations', () => {
  const read: [string, { host: string; port: number } | null][] = [
    ['Example.COM:443', { host: 'example.com', port: 443 }],
    ['example.com.:80', { host: 'example.com', port: 80 }],
    ['0x7f000001:80', { host: '127.0.0.1', port: 80 }],
    ['2130706433:80', { host: '127.0.0.1', port: 80 }],
    ['127.1:80', { host: '127.0.0.1', port: 80 }],
    ['0177.0.0.1:80', { host: '127.0.0.1', port: 80 }],
    ['127.0.0.1.:80', { host: '127.0.0.1', port: 80 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['[::ffff:127.0.0.1]:80', { host: '127.0.0.1', port: 80 }],
    ['[0:0:0:0:0:ffff:7f00:1]:80', { host: '127.0.0.1', port: 80 }],
    ['example.com', null],
    ['example.com:0', null],
    ['example.com:65536', null],
    ['example.com:80x', null],
    ['a@example.com:80', null],
    ['example.com/x:80', null],
    ['exa%6dple.com:80', null],
    ['[fe80::1%25eth0]:80', null],
    ['::1:80', null],
    [':80', null],
    ['1.2.3.4.5:80', null],
    ['256.1.1.1:80', null],
    [`${'a'.repeat(300)}.com:80`, null],
    ['', null],
  ]
  for (const [text, expected] of read) {
    test(`${text.slice(0, 40)} is ${expected ? `${expected.host} at ${expected.port}` : 'nowhere'}`, () =>
      assert.deepEqual(parseAuthority(text), expected))
  }

  test('any text is parsed or refused without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webAuthority(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        for (const authority of [text, `${text}:80`, `[${text}]:443`]) {
          const { host, port } = parseAuthority(authority) ?? { host: 'a', port: 1 }
          assert.ok(host !== '' && port > 0 && port < 65_536)
        }
      }),
    )
  })
})

suite('allowed destinations', () => {
  const rules = (addresses: readonly string[]) => ({ resolve: async () => addresses, ports: [80, 443] })
  const kindOf = async (host: string, port: number, addresses: readonly string[] = []) =>
    (await check({ host, port }, rules(addresses), never)).kind

  test('public addresses at the allowed ports, as resolved', async () => {
    const checked = await check({ host: 'a.example', port: 443 }, rules(['93.184.215.14', '2606:2800::1']), never)
    assert.deepEqual(checked, { kind: 'open', addresses: ['93.184.215.14', '2606:2800::1'], port: 443 })
    assert.equal(await kindOf('93.184.215.14', 80), 'open')
  })

  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fd00::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    'not an address',
  ]) {
    test(`not ${address}, alone or among public addresses`, async () => {
      assert.equal(await kindOf('a.example', 80, [address]), 'refused')
      assert.equal(await kindOf('a.example', 80, ['93.184.215.14', address]), 'refused')
      assert.equal(await kindOf('a.example', 80, [...Array<string>(20).fill('93.184.215.14'), address]), 'refused')
    })
  }

  test('no private address as a host, and no other ports', async () => {
    assert.equal(await kindOf('10.0.0.1', 80), 'refused')
    assert.equal(await kindOf('a.example', 22, ['93.184.215.14']), 'refused')
    assert.equal(await kindOf('93.184.215.14', 8080), 'refused')
  })

  test('no host without addresses, without a dot, or with a failing lookup', async () => {
    assert.equal(await kindOf('a.example', 80), 'unknown')
    assert.equal(await kindOf('localhost', 80, ['93.184.215.14']), 'unknown')
    const failing = { resolve: () => Promise.reject(new Error('no')), ports: [80] }
    assert.deepEqual(await check({ host: 'a.example', port: 80 }, failing, never), { kind: 'unresolved' })
  })

  test('only hosts of the simulated internet are redirected, and by default no host is simulated', async () => {
    const reach = (host: string, port: number) =>
      host === 'sim.example' && port === 80 ? { address: '127.0.0.1', port: 9 } : undefined
    const simulated = { ...rules(['127.0.0.1']), reach }
    assert.deepEqual(await check({ host: 'sim.example', port: 80 }, simulated, never), {
      kind: 'open',
      addresses: ['127.0.0.1'],
      port: 9,
    })
    assert.equal((await check({ host: 'sim.example', port: 443 }, simulated, never)).kind, 'refused')
    assert.equal((await check({ host: 'other.example', port: 80 }, simulated, never)).kind, 'refused')
    assert.equal(await kindOf('sim.example', 80, ['127.0.0.1']), 'refused')
  })

  test('no list of addresses that contains a private one', async () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('93.184.215.14'))
    await fc.assert(
      fc.asyncProperty(fc.array(address, { minLength: 1, maxLength: 5 }), async (addresses) => {
        const expected = addresses.every((one) => isPublicAddress(one)) ? 'open' : 'refused'
        assert.equal(await kindOf('a.example', 80, addresses), expected)
      }),
    )
  })
})
