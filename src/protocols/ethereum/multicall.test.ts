import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeFunctionResult, encodeFunctionData, encodeFunctionResult, multicall3Abi, toFunctionSelector } from 'viem'
import type { Hex } from './hex.ts'
import {
  decodeAggregate3,
  encodeAggregate3,
  GET_BLOCK_NUMBER,
  GET_BLOCK_TIMESTAMP,
  MulticallError,
} from './multicall.ts'

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const bytes = fc.uint8Array({ maxLength: 300 }).map(hex)
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hex)
/** Otherwise fast-check generates records without a prototype, which deepEqual tells apart. */
const plain = { noNullPrototype: true } as const
const functionName = 'aggregate3' as const

const encodedByViem = (results: readonly { ok: boolean; data: Hex }[]): Hex =>
  encodeFunctionResult({
    abi: multicall3Abi,
    functionName,
    result: results.map(({ ok, data }) => ({ success: ok, returnData: data })),
  })

test('calls are encoded as viem encodes them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ to: address, data: bytes, mustSucceed: fc.boolean() }, plain), { maxLength: 20 }),
      (calls) => {
        const expected = encodeFunctionData({
          abi: multicall3Abi,
          functionName,
          args: [
            calls.map(({ to, data, mustSucceed }) => ({ target: to, allowFailure: !mustSucceed, callData: data })),
          ],
        })
        assert.equal(encodeAggregate3(calls), expected)
      },
    ),
  )
})

test('results encoded by viem are decoded, in lower and upper case', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ ok: fc.boolean(), data: bytes }, plain), { maxLength: 20 }), (results) => {
      const answer = encodedByViem(results)
      assert.deepEqual(decodeAggregate3(answer, results.length), results)
      assert.deepEqual(decodeAggregate3(`0x${answer.slice(2).toUpperCase()}`, results.length), results)
    }),
  )
})

/** An answer of three results with a few words replaced, or truncated. */
const damaged = fc
  .record({
    results: fc.array(fc.record({ ok: fc.boolean(), data: bytes }, plain), { minLength: 3, maxLength: 3 }),
    changes: fc.array(
      fc.record({
        at: fc.nat({ max: 40 }),
        word: fc.oneof(
          fc.nat({ max: 600 }).map(BigInt),
          fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
          fc.constantFrom(2n ** 53n, 2n ** 255n, 2n ** 64n - 32n),
        ),
      }),
      { maxLength: 3 },
    ),
    cut: fc.nat({ max: 200 }),
  })
  .map(({ results, changes, cut }): Hex => {
    let digits = encodedByViem(results).slice(2)
    for (const { at, word } of changes) {
      const from = (at * 64) % digits.length
      digits = digits.slice(0, from) + word.toString(16).padStart(64, '0') + digits.slice(from + 64)
    }
    return `0x${digits.slice(0, digits.length - cut * 2)}`
  })

test('a damaged answer is decoded as viem decodes it, or rejected with MulticallError', () => {
  let read = 0
  let refused = 0
  fc.assert(
    fc.property(damaged, (answer) => {
      try {
        const results = decodeAggregate3(answer, 3)
        const expected = decodeFunctionResult({ abi: multicall3Abi, functionName, data: answer })
        assert.deepEqual(
          results,
          expected.map(({ success, returnData }) => ({ ok: success, data: returnData })),
        )
        read++
      } catch (error) {
        assert.ok(error instanceof MulticallError, String(error))
        refused++
      }
    }),
    { numRuns: 1000 },
  )
  assert.ok(read > 50 && refused > 50, `${read} were decoded and ${refused} rejected`)
})

test('any other value is rejected with MulticallError', () => {
  const anything = fc.oneof(fc.anything(), fc.string(), fc.uint8Array({ maxLength: 2000 }).map(hex))
  fc.assert(
    fc.property(anything, fc.nat({ max: 5 }), (answer, count) => {
      try {
        decodeAggregate3(answer, count)
      } catch (error) {
        assert.ok(error instanceof MulticallError, String(error))
      }
    }),
  )
})

test('results that share bytes are rejected, so that a small answer cannot decode to a large one', () => {
  const word = (number: number) => number.toString(16).padStart(64, '0')
  const long = 10_000
  const tuple = word(1) + word(64) + word(long) + '00'.repeat(long)
  const shared: Hex = `0x${word(32)}${word(100)}${word(3200).repeat(100)}${tuple}`
  assert.throws(() => decodeAggregate3(shared, 100), MulticallError)
})

test('a long valid answer is decoded, and a long invalid one rejected', () => {
  const data: Hex = `0x${'ab'.repeat(2_000_000)}`
  assert.equal(decodeAggregate3(encodedByViem([{ ok: true, data }]), 1)[0]!.data, data)
  assert.throws(() => decodeAggregate3(data, 1), MulticallError)
  assert.throws(() => decodeAggregate3(`${data}0g`, 1), MulticallError)
})

test('the selectors are those of Multicall3', () => {
  assert.equal(encodeAggregate3([]).slice(0, 10), toFunctionSelector('aggregate3((address,bool,bytes)[])'))
  assert.equal(GET_BLOCK_NUMBER, toFunctionSelector('getBlockNumber()'))
  assert.equal(GET_BLOCK_TIMESTAMP, toFunctionSelector('getCurrentBlockTimestamp()'))
})
