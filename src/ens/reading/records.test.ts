import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AbiParameter, toBytes } from 'viem'
import { packetToBytes } from 'viem/ens'
import {
  bytesToHex,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  parseAbiParameters,
} from 'viem/utils'
import { resolverAbi, universalResolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { EnsName } from '../contract/names.ts'
import { dnsEncode, nodeOf } from '../chain/namehash.ts'
import { createRecordsRead, TEXT_KEYS } from './records.ts'

const NAME = 'example' as EnsName
const UNIVERSAL = '0xeEeEEEeE14D718C2B47D9923Deab1335E144EeEe'
const RESOLVER = '0xF29100983E058B709F3D539b0c765937B804AC15'
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`
const CONTENT: Hex = `0xe30101701220${'11'.repeat(32)}`

const recordsRead = createRecordsRead(TEXT_KEYS)
const keysOf = (count: number) => TEXT_KEYS.slice(0, count)

const encode = (types: readonly AbiParameter[], ...values: unknown[]) => encodeAbiParameters(types, values)
const asAddress = (address: Hex) => encode(parseAbiParameters('address'), address)
const asBytes = (bytes: Hex) => encode(parseAbiParameters('bytes'), bytes)
const asText = (text: string) => encode(parseAbiParameters('string'), text)
const universal = (answers: readonly Hex[]) =>
  encode(parseAbiParameters('bytes, address'), encode(parseAbiParameters('bytes[]'), answers), RESOLVER)
const nothing = [asBytes('0x'), asAddress(ZERO_ADDRESS), asBytes('0x'), ...TEXT_KEYS.map(() => asText(''))]
const decodeAnswers = (answers: readonly Hex[]) => recordsRead.decode({ ok: true, data: universal(answers) })
const readOne = (at: number, answer: Hex) => {
  const reading = decodeAnswers(nothing.with(at, answer))
  assert.ok(reading.kind === 'records')
  return reading.records
}

test('the hand-assembled call equals the ABI encoding, for any name', () => {
  const label = fc.stringMatching(/^[a-z0-9]{3,63}$/).map((text) => text as EnsName)
  fc.assert(
    fc.property(label, fc.nat(TEXT_KEYS.length), (name, count) => {
      const node = nodeOf(name)
      const calls = [
        encodeFunctionData({ abi: resolverAbi, functionName: 'addr', args: [node, 60n] }),
        encodeFunctionData({ abi: resolverAbi, functionName: 'addr', args: [node] }),
        encodeFunctionData({ abi: resolverAbi, functionName: 'contenthash', args: [node] }),
        ...keysOf(count).map((key) =>
          encodeFunctionData({ abi: resolverAbi, functionName: 'text', args: [node, key] }),
        ),
      ]
      const multicall = encodeFunctionData({ abi: resolverAbi, functionName: 'multicall', args: [calls] })
      const dns = bytesToHex(packetToBytes(`${name}.eth`))
      const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'resolve', args: [dns, multicall] })
      assert.equal(dnsEncode(name), dns)
      assert.deepEqual(createRecordsRead(keysOf(count)).call(UNIVERSAL, name), { to: UNIVERSAL, data })
    }),
    { numRuns: 50 },
  )
  assert.equal(
    decodeFunctionData({ abi: universalResolverAbi, data: recordsRead.call(UNIVERSAL, NAME).data }).functionName,
    'resolve',
  )
})

test('only records that are set are returned', () => {
  const texts = TEXT_KEYS.map((key) => asText(key === 'url' ? 'https://example.com' : ''))
  assert.deepEqual(decodeAnswers([asBytes(OWNER.toLowerCase() as Hex), asAddress(OWNER), asBytes(CONTENT), ...texts]), {
    kind: 'records',
    resolver: RESOLVER,
    records: { address: OWNER, text: { url: 'https://example.com' }, contenthash: CONTENT },
  })
  assert.deepEqual(decodeAnswers(nothing), { kind: 'records', resolver: RESOLVER, records: { text: {} } })
})

test('a resolver that has only the older addr(bytes32) works, too', () => {
  assert.equal(readOne(1, asAddress(OWNER)).address, OWNER)
  assert.deepEqual(decodeAnswers(['0x', asAddress(OWNER), '0x', ...TEXT_KEYS.map((): Hex => '0x')]), {
    kind: 'records',
    resolver: RESOLVER,
    records: { address: OWNER, text: {} },
  })
})

test('a record that cannot be decoded counts as not set and does not affect the others', () => {
  assert.equal(readOne(0, asBytes('0x1234')).address, undefined, 'an address of two bytes')
  assert.equal(readOne(0, asBytes(ZERO_ADDRESS)).address, undefined, 'the zero address')
  assert.equal(readOne(2, asBytes(`0x${'11'.repeat(5000)}`)).contenthash, undefined, 'far too long')
  assert.deepEqual(readOne(3, '0x08c379a0').text, {}, 'a revert instead of a value')
  assert.deepEqual(readOne(3, asText('\u0000\u0001')).text, {}, 'only control characters')
  const short = decodeAnswers(nothing.slice(0, 2))
  assert.deepEqual(short.kind === 'records' && short.records, { text: {} })
})

test('whatever a resolver returns, decoding does not throw', () => {
  const hostile = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => bytesToHex(bytes)),
    fc
      .array(fc.integer({ min: 0, max: 200 }), { maxLength: 8 })
      .map((words): Hex => `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`),
  )
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 14 }), hostile, fc.boolean(), (answers, data, ok) => {
      const reading = decodeAnswers(answers)
      if (reading.kind === 'records') {
        for (const value of Object.values(reading.records.text))
          assert.ok(value.length <= 4096 && !/\p{Cc}/u.test(value))
      }
      recordsRead.decode({ ok, data })
    }),
    { numRuns: 1000 },
  )
})

test('off-chain records are recognized', () => {
  const lookup = encodeErrorResult({
    abi: universalResolverAbi,
    errorName: 'OffchainLookup',
    args: [RESOLVER, ['http://169.254.169.254/'], '0x1234', '0x12345678', '0x'],
  })
  const inside = encodeErrorResult({ abi: universalResolverAbi, errorName: 'ResolverError', args: [lookup] })
  for (const data of [lookup, inside]) assert.deepEqual(recordsRead.decode({ ok: false, data }), { kind: 'offchain' })
  assert.deepEqual(decodeAnswers(nothing.with(0, lookup)), { kind: 'offchain' })
})

test('a name without a resolver is distinguished from a resolver that reverts', () => {
  const dns = bytesToHex(toBytes('x'))
  const refusals = [
    encodeErrorResult({ abi: universalResolverAbi, errorName: 'ResolverNotFound', args: [dns] }),
    encodeErrorResult({ abi: universalResolverAbi, errorName: 'ResolverNotContract', args: [dns, RESOLVER] }),
  ]
  for (const data of refusals) assert.deepEqual(recordsRead.decode({ ok: false, data }), { kind: 'no_resolver' })
  assert.deepEqual(recordsRead.decode({ ok: false, data: '0x' }), { kind: 'unreadable', data: '0x' })
  assert.deepEqual(
    recordsRead.decode({ ok: true, data: '0x' }),
    { kind: 'unreadable', data: '0x' },
    'no contract there',
  )
})
