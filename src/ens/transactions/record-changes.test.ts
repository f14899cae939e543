import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addEnsContracts } from '@ensdomains/ensjs'
import { setRecords } from '@ensdomains/ensjs/wallet'
import { createWalletClient, custom } from 'viem'
import { mainnet } from 'viem/chains'
import { MAINNET } from '../chain/deployments.ts'
import { describeRecordCall } from './describe-record-call.ts'
import { parseRecordChanges, parseTextKey, updateCall, type RequestedRecords } from './record-changes.ts'
import { TEXT_KEYS } from '../reading/records.ts'
import type { EnsName } from '../contract/names.ts'

const NAME = 'example' as EnsName
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const CONTENT = `0xe30101701220${'11'.repeat(32)}`
const { resolver } = MAINNET.controllers['2025']

const changesOf = (wanted: RequestedRecords) => {
  const reading = parseRecordChanges(wanted)
  assert.ok(reading.ok, reading.ok ? '' : reading.problem)
  return reading.changes
}

test('neutral aliases and any case are accepted for a text key', () => {
  const rows: [string, string | undefined][] = [
    ['com.social_a', 'com.twitter'],
    ['com.social_b', 'com.github'],
    ['com.social_c', 'com.discord'],
    ['org.social_d', 'org.telegram'],
    ['Com.GitHub', 'com.github'],
    ['com.reddit', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ]
  for (const [given, key] of rows) assert.equal(parseTextKey(given), key)
  for (const key of TEXT_KEYS) assert.equal(parseTextKey(key), key)
})

test('several changes are byte for byte the call of ensjs', () => {
  const wallet = createWalletClient({
    chain: addEnsContracts(mainnet),
    account: MAINNET.registry,
    transport: custom({ request: () => Promise.reject(new Error('nothing may be asked')) }),
  })
  const theirs = setRecords.makeFunctionData(wallet, {
    name: 'example.eth',
    resolverAddress: resolver,
    contentHash: 'ipfs://bafybeiarceirceirceirceirceirceirceirceirceirceirceirceirce',
    texts: [
      { key: 'com.twitter', value: 'exämple' },
      { key: 'url', value: '' },
    ],
    coins: [{ coin: 'ETH', value: OWNER }],
  })
  const changes = changesOf({
    addresses: { eth: OWNER.toLowerCase() },
    text: { 'com.social_a': 'exämple', url: '' },
    contenthash: CONTENT.toUpperCase().replace('X', 'x'),
  })
  assert.deepEqual(changes, [
    { type: 'contenthash', key: 'contenthash', value: CONTENT },
    { type: 'text', key: 'com.twitter', value: 'exämple' },
    { type: 'text', key: 'url', value: '' },
    { type: 'addr', key: 'ETH', value: OWNER },
  ])
  assert.deepEqual(updateCall(resolver, NAME, changes), { to: theirs.to, data: theirs.data })
})

test('an empty value clears a record', () => {
  const changes = changesOf({ addresses: { 60: '' }, text: { email: '' }, contenthash: '0x' })
  assert.deepEqual(
    changes.map(({ type, value }) => [type, value]),
    [
      ['contenthash', ''],
      ['text', ''],
      ['addr', ''],
    ],
  )
  assert.deepEqual(changesOf({ addresses: { ETH: `0x${'0'.repeat(40)}` } }), [{ type: 'addr', key: 'ETH', value: '' }])
  const call = updateCall(resolver, NAME, changesOf({ addresses: { ETH: '' } }))
  assert.ok(call.data.includes(`${'14'.padStart(64, '0')}${'0'.repeat(64)}`), 'twenty bytes of zeros, not none')
  assert.match(describeRecordCall('0x'), /does not know/)
})

const refused: [wanted: RequestedRecords, problem: RegExp][] = [
  [{}, /No record to change/],
  [{ text: {} }, /No record to change/],
  [{ addresses: { BTC: 'x' } }, /addresses\.BTC is not supported; use ETH/],
  [{ addresses: { ETH: '0x12' } }, /addresses\.ETH must be an Ethereum address/],
  [{ addresses: { ETH: OWNER.replace('d', 'D') } }, /addresses\.ETH does not match its EIP-55 checksum/],
  [{ addresses: { ETH: OWNER, 60: OWNER } }, /ETH twice/],
  [{ text: { 'com.gihub': 'x' } }, /text\.com\.gihub is not supported; did you mean com\.github\?/],
  [{ text: { bananas: 'x' } }, /text\.bananas is not supported; use one of avatar, .*org\.telegram\./],
  [{ text: { 'com.twitter': 'x', 'com.social_a': 'y' } }, /the same record/],
  [{ text: { url: 'a\u0000' } }, /text\.url contains a control character/],
  [{ text: { url: '\uD83E' } }, /half of a surrogate pair/],
  [{ text: { url: 'ü'.repeat(1000), email: 'x'.repeat(2097) } }, /text has 4097 bytes in total; at most 4096/],
  [{ contenthash: 'ipfs://x' }, /contenthash must be 0x/],
  [{ contenthash: '0xe30' }, /even number/],
  [{ contenthash: '0x1234' }, /contenthash does not start with a supported ENSIP-7 code/],
  [{ contenthash: CONTENT.slice(0, -2) }, /contenthash has the code of ipfs, but/],
  [{ contenthash: `0xe301${'11'.repeat(200)}` }, /more than 128 bytes/],
]
for (const [wanted, problem] of refused) {
  test(`rejected: ${problem.source}`, () => {
    const reading = parseRecordChanges(wanted)
    assert.ok(!reading.ok)
    assert.match(reading.problem, problem)
  })
}
