import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Abi } from 'viem'
import { encodeErrorResult, parseAbi, toFunctionSelector } from 'viem/utils'
import * as abis from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import { revertReason } from './revert-reasons.ts'

const HASH: Hex = `0x${'1f'.repeat(32)}`
const OWNER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const solidity = parseAbi(['error Error(string message)', 'error Panic(uint256 code)'])

const refusal = (abi: Abi, errorName: string, args: readonly unknown[] = []): Hex =>
  encodeErrorResult({ abi, errorName, args })
const of2025 = (errorName: string, ...args: unknown[]) => refusal(abis.controller2025Abi, errorName, args)
const of2023 = (errorName: string, ...args: unknown[]) => refusal(abis.controller2023Abi, errorName, args)
const ofWrapper = (errorName: string, ...args: unknown[]) => refusal(abis.wrapperAbi, errorName, args)
const ofUniversal = (errorName: string, ...args: unknown[]) => refusal(abis.universalResolverAbi, errorName, args)

const rows: [data: Hex, sentence: RegExp][] = [
  [of2025('CommitmentTooNew', HASH, 1060n, 1037n), /^The commitment is too young: wait 23 seconds more\.$/],
  [of2025('CommitmentTooNew', HASH, 1060n, 1059n), /^The commitment is too young: wait 1 second more\.$/],
  [of2023('CommitmentTooNew', HASH), /too young or was never made/],
  [of2025('CommitmentTooOld', HASH, 1000n, 1090n), /too old: it expired 90 seconds ago/],
  [of2023('CommitmentTooOld', HASH), /too old, or was never made/],
  [of2025('CommitmentNotFound', HASH), /not on the chain: send the commit transaction first/],
  [of2025('UnexpiredCommitmentExists', HASH), /on the chain already/],
  [of2025('NameNotAvailable', 'example'), /^"example" is not available/],
  [of2025('DurationTooShort', 60n), /^A duration of 60 seconds is too short.*28 days/],
  [of2025('InsufficientValue'), /less than the price/],
  [of2025('ResolverRequiredForReverseRecord'), /reverse record .* without a resolver/],
  [ofWrapper('Unauthorised', HASH, OWNER), new RegExp(`^${OWNER} is neither the owner`)],
  [ofWrapper('OperationProhibited', HASH), /fuse/],
  [ofUniversal('ResolverError', of2025('InsufficientValue')), /resolver reverted\. The value sent/],
  [ofUniversal('ResolverError', '0x1234'), /resolver reverted\.$/],
  [ofUniversal('OffchainLookup', OWNER, ['https://x'], '0x', '0x12345678', '0x'), /off-chain/],
  [refusal(solidity, 'Error', ['ERC721: invalid token ID']), /^The contract reverted: "ERC721: invalid token ID"\.$/],
  [refusal(solidity, 'Panic', [0x11n]), /arithmetic overflow/],
  [refusal(solidity, 'Panic', [0x32n]), /panic 0x32/],
  ['0x', /without a reason/],
  ['0xdeadbeef', /unknown error \(0xdeadbeef\)/],
  ['0x12', /unknown error \(0x12\)/],
]
for (const [data, sentence] of rows)
  test(`${data.slice(0, 10)} is explained as ${sentence.source}`, () => assert.match(revertReason(data), sentence))

test('every error of every ABI has an explanation', () => {
  const sample: Record<string, unknown> = {
    bytes32: HASH,
    bytes: '0x1234',
    bytes4: '0x12345678',
    address: OWNER,
    string: 'text',
    'string[]': ['text'],
    uint256: 7n,
    uint16: 7,
  }
  let seen = 0
  for (const abi of Object.values(abis)) {
    for (const item of abi as Abi) {
      if (item.type !== 'error') continue
      const data = refusal(
        [item],
        item.name,
        item.inputs.map(({ type }) => sample[type]),
      )
      const sentence = revertReason(data)
      assert.match(sentence, /^["A-Z0-9].*\.$/, item.name)
      assert.doesNotMatch(sentence, /unknown error|undefined/, item.name)
      seen++
    }
  }
  assert.ok(seen > 40, `only ${seen} errors were explained`)
})

test('a revert without data is explained by the kind of transaction', () => {
  assert.match(revertReason('0x', 'renew'), /not registered, or its grace period has ended/)
  assert.match(revertReason('0x', 'update'), /neither the name's owner nor approved/)
  assert.match(revertReason('0x', 'register'), /just been registered, or the wallet cannot receive/)
  assert.match(revertReason('0x', 'commit'), /without a reason/)
  assert.match(revertReason('0xdeadbeef', 'renew'), /unknown error/)
})

test('text from a contract is sanitized and truncated', () => {
  const sentence = revertReason(refusal(solidity, 'Error', [`a\n\u0000${'x'.repeat(5000)}`]))
  assert.ok(sentence.length < 300)
  assert.doesNotMatch(sentence, /\p{Cc}/u)
})

test('any bytes give a sentence', () => {
  const errors = Object.values(abis).flatMap((abi) => (abi as Abi).filter((item) => item.type === 'error'))
  const selectors = errors.map((item) =>
    toFunctionSelector({ ...item, type: 'function', outputs: [], stateMutability: 'view' }),
  )
  const head = fc.constantFrom<Hex>('0x', '0x08c379a0', '0x4e487b71', ...selectors)
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 300 }), (head, tail) => {
      const sentence = revertReason(`${head}${Buffer.from(tail).toString('hex')}`)
      assert.ok(sentence.length > 10 && sentence.length < 1000 && sentence.endsWith('.') && !/\p{Cc}/u.test(sentence))
    }),
    { numRuns: 500 },
  )
})
