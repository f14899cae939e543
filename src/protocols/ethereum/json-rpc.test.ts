import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { UpstreamResponse } from '../../kernel/upstream/client.ts'
import { parseExecution } from './execution.ts'
import { MalformedAnswerError, parseAnswer, parseBatch } from './json-rpc.ts'
import { createEthereumRpc } from './rpc.ts'
import { isKnown, parseReceipt, TransactionError } from './transactions.ts'

const json = fc.jsonValue({ maxDepth: 3 })
/** Nearly valid: the right keys with arbitrary values. */
const answer = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0', 2),
    id: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.constantFrom(null, '1', 1.5), json),
    result: fc.oneof(fc.constantFrom('0x', '0x1', null), json),
    error: fc.oneof(
      fc.constant(null),
      fc.record(
        { code: fc.oneof(fc.integer(), json), message: fc.oneof(fc.string(), json), data: json },
        { requiredKeys: [] },
      ),
      json,
    ),
  },
  { requiredKeys: [] },
)
const body = fc.oneof(json, answer, fc.array(answer, { maxLength: 4 }))

test('any response is parsed to one outcome per call, or rejected with MalformedAnswerError', () => {
  fc.assert(
    fc.property(body, fc.integer({ min: 2, max: 3 }), (sent, count) => {
      try {
        const outcomes = parseBatch(sent, count)
        assert.ok(Array.isArray(outcomes) ? outcomes.length === count : !outcomes.ok)
        for (const outcome of [outcomes].flat()) parseExecution(outcome)
      } catch (error) {
        assert.ok(error instanceof MalformedAnswerError, String(error))
      }
      try {
        parseExecution(parseAnswer(sent))
      } catch (error) {
        assert.ok(error instanceof MalformedAnswerError, String(error))
      }
    }),
    { numRuns: 500 },
  )
})

test('whatever a node sends, ask resolves or rejects with an UpstreamError', async () => {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(200, 400, 404, 413), async (sent, status) => {
      let posts = 0
      const reply: UpstreamResponse = {
        status,
        headers: {},
        body: new Uint8Array(),
        text: () => '',
        json: () => sent,
        url: '',
        elapsedMs: 0,
      }
      const ask = async () => (posts++, reply)
      const rpc = createEthereumRpc({
        upstream: { request: ask },
        urls: ['https://a.example'],
        chainId: 1,
        clock: manualClock(),
        log,
      })
      try {
        assert.equal((await rpc.ask([{ method: 'a', params: [] }])).length, 1)
      } catch (error) {
        assert.ok(error instanceof UpstreamError, String(error))
      }
      // The batch, and at most one single request per call.
      assert.ok(posts <= 3)
    }),
    { numRuns: 500 },
  )
})

const HASH = `0x${'ab'.repeat(32)}` as const
const receipt = {
  transactionHash: HASH,
  blockNumber: '0x10',
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x3b9aca00',
}

test('a receipt is parsed', () => {
  const read = { succeeded: true, blockNumber: 16, gasUsed: 21_000, effectiveGasPrice: 1_000_000_000n }
  assert.deepEqual(parseReceipt(receipt, HASH), read)
  assert.deepEqual(
    parseReceipt({ ...receipt, status: '0x0', transactionHash: HASH.toUpperCase().replace('X', 'x') }, HASH),
    {
      ...read,
      succeeded: false,
    },
  )
  assert.equal(parseReceipt(null, HASH), null)
  assert.equal(parseReceipt({ ...receipt, blockNumber: null }, HASH), null)
})

for (const [what, change] of Object.entries({
  'another transaction': { transactionHash: `0x${'cd'.repeat(32)}` },
  'no transaction': { transactionHash: undefined },
  'no status': { status: undefined },
  'a third status': { status: '0x2' },
  'a block that is not a hex string': { blockNumber: 16 },
  'a block above the safe integers': { blockNumber: '0x20000000000000' },
  'an impossible amount of gas': { gasUsed: '0xffffffffffff' },
  'no price': { effectiveGasPrice: null },
  'an impossible price': { effectiveGasPrice: `0x${'f'.repeat(64)}` },
  'a price without digits': { effectiveGasPrice: '0x' },
})) {
  test(`a receipt with ${what} is rejected`, () => {
    assert.throws(() => parseReceipt({ ...receipt, ...change }, HASH), TransactionError)
  })
}

test('any JSON value as a receipt or transaction is parsed or rejected with TransactionError', () => {
  const near = fc.record(
    { transactionHash: fc.constant(HASH), hash: fc.constant(HASH), blockNumber: json, status: json },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(json, near), (sent) => {
      for (const read of [parseReceipt, isKnown]) {
        try {
          read(sent, HASH)
        } catch (error) {
          assert.ok(error instanceof TransactionError, String(error))
        }
      }
    }),
  )
})
