import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { privateKeyToAccount as viemAccount } from 'viem/accounts'
import * as viem from 'viem/utils'
import type { Hex } from '../hex.ts'
import * as abi from './abi.ts'
import * as bytes from './bytes.ts'
import { decodeRlp, encodeRlp, type Rlp } from './rlp.ts'
import { recoverAddress } from './recover-address.ts'
import * as signing from './signing.ts'

const ABI = abi.parseAbi([
  'struct Registration { string label; address owner; uint256 duration; bytes32 secret; bytes[] data; uint8 flags; bool own; int256 change; }',
  'function register(Registration registration) payable returns (bool)',
  'function set(bytes32 node, address a) returns (uint64 first, string second)',
  'function set(bytes32 node, uint256 coinType, bytes a) returns (uint8)',
  'function none()',
  'error TooOld(bytes32 commitment, uint256 at)',
  'error Empty()',
])
const ARGUMENTS = { numRuns: 300 }

/** What a function returns, or that it throws: the messages may differ. */
const outcome = (run: () => unknown): unknown => {
  try {
    return { value: run() }
  } catch {
    return 'throws'
  }
}
const agree = (ours: () => unknown, theirs: () => unknown) => assert.deepEqual(outcome(ours), outcome(theirs))

const hex = (constraints: fc.IntArrayConstraints): fc.Arbitrary<Hex> =>
  fc.uint8Array(constraints).map((value) => `0x${Buffer.from(value).toString('hex')}` as const)
const bytesOf = (length: number) => hex({ minLength: length, maxLength: length })
const anyCase = (arbitrary: fc.Arbitrary<Hex>) =>
  fc.tuple(arbitrary, fc.integer({ min: 0, max: 2 })).map(([value, kind]): Hex => {
    if (kind === 0) return value
    return kind === 1 ? viem.getAddress(value) : (`0x${value.slice(2).toUpperCase()}` as const)
  })
const address = anyCase(bytesOf(20))
const uint256 = fc.bigInt({ min: -1n, max: 2n ** 256n })
const registration = fc.record({
  label: fc.string({ unit: 'grapheme' }),
  owner: address,
  duration: uint256,
  secret: fc.oneof(bytesOf(32), bytesOf(31)),
  data: fc.array(hex({ maxLength: 70 }), { maxLength: 4 }),
  flags: fc.integer({ min: -1, max: 256 }),
  own: fc.boolean(),
  change: fc.bigInt({ min: -(2n ** 255n) - 1n, max: 2n ** 255n }),
})

test('calls are encoded as viem encodes them, and what it rejects is rejected', () => {
  fc.assert(
    fc.property(registration, (value) => {
      const call = { abi: ABI, functionName: 'register', args: [value] } as const
      agree(
        () => abi.encodeFunctionData(call),
        () => viem.encodeFunctionData(call),
      )
    }),
    ARGUMENTS,
  )
  fc.assert(
    fc.property(bytesOf(32), address, uint256, hex({ maxLength: 40 }), (node, to, coinType, data) => {
      for (const args of [[node, to] as const, [node, coinType, data] as const]) {
        const call = { abi: ABI, functionName: 'set', args } as const
        agree(
          () => abi.encodeFunctionData(call),
          () => viem.encodeFunctionData(call),
        )
      }
      const error = { abi: ABI, errorName: 'TooOld', args: [node, coinType] } as const
      agree(
        () => abi.encodeErrorResult(error),
        () => viem.encodeErrorResult(error),
      )
      const result = { abi: ABI, functionName: 'register', result: coinType > 0n } as const
      agree(
        () => abi.encodeFunctionResult(result),
        () => viem.encodeFunctionResult(result),
      )
    }),
    ARGUMENTS,
  )
})

/** Data that is a call, with some bytes changed, or cut, or longer. */
const damaged = (whole: fc.Arbitrary<Hex>) =>
  fc
    .tuple(whole, fc.array(fc.tuple(fc.nat(), fc.nat(255))), fc.nat(40), hex({ maxLength: 40 }))
    .map(([data, changes, cut, more]): Hex => {
      const parts = Buffer.from(data.slice(2), 'hex')
      for (const [at, value] of changes.slice(0, 3)) parts[at % Math.max(1, parts.length)] = value
      return `0x${parts.subarray(0, Math.max(0, parts.length - (cut < 30 ? 0 : cut))).toString('hex')}${more.slice(2)}`
    })

test('data from outside is decoded as viem decodes it, also if it is damaged', () => {
  const valid = registration
    .map((value) => outcome(() => viem.encodeFunctionData({ abi: ABI, functionName: 'register', args: [value] })))
    .filter((encoded) => typeof encoded === 'object')
    .map((encoded) => (encoded as { value: Hex }).value)
  fc.assert(
    fc.property(fc.oneof(damaged(valid), valid, hex({ maxLength: 200 })), (data) => {
      agree(
        () => abi.decodeFunctionData({ abi: ABI, data }),
        () => viem.decodeFunctionData({ abi: ABI, data }),
      )
      const tail = `0x${data.slice(10)}` as const
      const types = [{ type: 'address' }, { type: 'bytes' }, { type: 'string[]' }, { type: 'int64' }] as const
      agree(
        () => abi.decodeAbiParameters(types, tail),
        () => viem.decodeAbiParameters(types, tail),
      )
      for (const functionName of ['register', 'set'] as const) {
        agree(
          () => abi.decodeFunctionResult({ abi: ABI, functionName, data: tail }),
          () => viem.decodeFunctionResult({ abi: ABI, functionName, data: tail }),
        )
      }
    }),
    ARGUMENTS,
  )
})

test('errors of contracts are decoded as viem decodes them', () => {
  const selectors = ABI.filter((item) => item.type === 'error').map((item) => viem.toFunctionSelector(item as never))
  const known = fc.constantFrom<Hex>(...selectors, '0x08c379a0', '0x4e487b71', '0x', '0x01020304')
  fc.assert(
    fc.property(known, hex({ maxLength: 130 }), (selector, rest) => {
      const data = `${selector}${rest.slice(2)}` as const
      agree(
        () => abi.decodeErrorResult({ abi: ABI, data }),
        () => viem.decodeErrorResult({ abi: ABI, data }),
      )
    }),
    ARGUMENTS,
  )
})

test('selectors, hashes, addresses and amounts are those of viem', () => {
  assert.equal(abi.toFunctionSelector('resolve(bytes,bytes)'), viem.toFunctionSelector('resolve(bytes,bytes)'))
  const event = 'Transfer(address,address,uint256)'
  assert.equal(abi.toEventSelector(event), viem.toEventSelector(event))
  fc.assert(
    fc.property(hex({ maxLength: 300 }), fc.string({ unit: 'grapheme' }), (data, text) => {
      assert.equal(bytes.keccak256(data), viem.keccak256(data))
      assert.equal(bytes.keccak256(bytes.stringToBytes(text)), viem.keccak256(viem.stringToBytes(text)))
      assert.equal(bytes.stringToHex(text), viem.stringToHex(text))
      assert.equal(bytes.concatHex([data, '0x00', data]), viem.concatHex([data, '0x00', data]))
      assert.deepEqual(bytes.hexToBytes(data), viem.hexToBytes(data))
    }),
    ARGUMENTS,
  )
  fc.assert(
    fc.property(fc.oneof(address, hex({ maxLength: 25 }), fc.string()), uint256, (text, amount) => {
      assert.equal(bytes.isAddress(text), viem.isAddress(text))
      agree(
        () => bytes.getAddress(text),
        () => viem.getAddress(text),
      )
      assert.equal(bytes.formatEther(amount), viem.formatEther(amount))
    }),
    ARGUMENTS,
  )
})

test('transactions are signed, and signers found, as viem does', async () => {
  const cap = 10n ** 30n
  const amount = fc.bigInt({ min: 0n, max: cap })
  await fc.assert(
    fc.asyncProperty(
      bytesOf(32),
      fc.record({ to: bytesOf(20), data: hex({ maxLength: 80 }), nonce: fc.nat(), gas: amount, value: amount }),
      fc.nat(),
      async (key, call, chain) => {
        const transaction = { ...call, chainId: chain + 1, maxFeePerGas: cap, maxPriorityFeePerGas: 7n }
        const [ours, theirs] = [signing.privateKeyToAccount(key), viemAccount(key)]
        const { raw, hash } = await ours.signTransaction(transaction)
        assert.equal(ours.address, theirs.address)
        assert.equal(raw, await theirs.signTransaction({ type: 'eip1559', ...transaction }))
        assert.equal(hash, viem.keccak256(raw))
        assert.equal(
          signing.serializeTransaction(transaction),
          viem.serializeTransaction({ type: 'eip1559', ...transaction }),
        )
        const signature = await theirs.sign({ hash })
        assert.equal(recoverAddress({ hash, signature }), theirs.address.toLowerCase())
      },
    ),
    { numRuns: 50 },
  )
  await fc.assert(
    fc.asyncProperty(
      bytesOf(32),
      hex({ minLength: 63, maxLength: 66 }),
      fc.constantFrom('', '00', '1c', '1d'),
      async (hash, start, end) => {
        const signature = `${start}${end}` as Hex
        const theirs = await viem.recoverAddress({ hash, signature }).then(
          (found) => ({ value: found.toLowerCase() }),
          () => 'throws',
        )
        assert.deepEqual(
          outcome(() => recoverAddress({ hash, signature })),
          theirs,
        )
      },
    ),
    { numRuns: 100 },
  )
})

test('RLP is that of viem, and only the one encoding of a list is accepted', () => {
  const { item } = fc.letrec<{ item: Rlp }>((tie) => ({
    item: fc.oneof({ maxDepth: 3 }, hex({ maxLength: 80 }), fc.array(tie('item'), { maxLength: 4 })),
  }))
  fc.assert(
    fc.property(item, hex({ minLength: 1, maxLength: 3 }), (value, more) => {
      const encoded = encodeRlp(value)
      assert.equal(encoded, viem.toRlp(value as Hex[]))
      assert.deepEqual(decodeRlp(encoded), value)
      assert.throws(() => decodeRlp(`${encoded}${more.slice(2)}`))
    }),
    ARGUMENTS,
  )
  fc.assert(
    fc.property(fc.oneof(damaged(item.map(encodeRlp)), hex({ maxLength: 60 })), (data) => {
      const decoded = outcome(() => decodeRlp(data))
      if (decoded !== 'throws') assert.deepEqual(decoded, { value: viem.fromRlp(data) })
    }),
    { numRuns: 2_000 },
  )
})
