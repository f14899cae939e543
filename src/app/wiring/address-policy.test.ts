import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadConfig } from '../settings/config.ts'
import { addressPolicy } from './address-policy.ts'

suite('hosts that an operator named', () => {
  const named = (env: Record<string, string>, ...settings: string[]) => {
    const policy = addressPolicy({ config: loadConfig(env), log: { warn() {} }, settings })
    return (host: string) => policy.named!.has(host)
  }
  test('are matched with their port; the host of a default is not one of them', () => {
    const setting = 'ONOMA_AFTERMARKET_SOURCE_A_URL'
    assert.equal(named({}, setting)('api.sedo.com'), false)
    assert.equal(named({ [setting]: 'https://api.sedo.com/api' }, setting)('api.sedo.com'), true)
    const isNamed = named({ [setting]: 'http://Shop.Internal:8080/x' }, setting)
    assert.deepEqual(['shop.internal:8080', 'shop.internal', 'shop.internal:8081'].map(isNamed), [true, false, false])
  })
  test('are all hosts of a list, and none of another provider', () => {
    const env = { ONOMA_ETH_RPC_URLS: 'http://127.0.0.1:8545, https://node.example/key' }
    const isNamed = named(env, 'ONOMA_ETH_RPC_URLS')
    assert.deepEqual(['127.0.0.1:8545', 'node.example', 'key'].map(isNamed), [true, true, false])
    assert.equal(named(env, 'ONOMA_RDAP_BOOTSTRAP', 'ONOMA_TLD_SERVERS')('127.0.0.1:8545'), false)
  })
})

test('a refusal is logged once for each host', () => {
  const lines: string[] = []
  const log = { warn: (_: object, line: string) => void lines.push(line) }
  const { onRefusal } = addressPolicy({ config: loadConfig({}), log, settings: [] })
  for (const why of ['refused: a', 'refused: b', 'refused: a']) onRefusal!(why)
  assert.deepEqual(lines, ['A connection was refused: a.', 'A connection was refused: b.'])
})
