import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { domainSeparator, encodeFunctionData, hashTypedData, parseAbi, parseSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../scheme.ts'
import { BASE, BASE_USDC } from './network.ts'
import {
  DOMAIN_SEPARATOR_CALL,
  encodeBalanceOf,
  encodeAuthorizationState,
  hashTransfer,
  computeDomainSeparator,
  isSigned,
  includesTransfer,
  encodeTransfer,
  type Transfer,
} from './transfer.ts'
import { DOMAIN, TYPES } from './x402.fixture.ts'

const ABI = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

const WITH_BYTES = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((raw): Hex => `0x${Buffer.from(raw).toString('hex')}`)
const number = fc.bigInt({ min: 0n, max: 10n ** 20n - 1n })
const transfers: fc.Arbitrary<Transfer> = fc.record({
  from: hex(20),
  to: hex(20),
  value: number,
  validAfter: number,
  validBefore: number,
  nonce: hex(32),
  // The lower half of s.
  signature: hex(64).map((rs): Hex => `${rs.slice(0, 66) as Hex}0${rs.slice(67)}1b`),
})
const domain = computeDomainSeparator(BASE, BASE_USDC)

suite('what a payer signs', () => {
  test("has the token's own domain: that of USDC on Base", () => {
    assert.equal(domain, domainSeparator({ domain: DOMAIN }))
    assert.equal(domain, '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f')
  })

  test('is what EIP-712 makes of it', () => {
    fc.assert(
      fc.property(transfers, (transfer) => {
        const { signature: _, ...message } = transfer
        const data = { domain: DOMAIN, types: TYPES, primaryType: 'TransferWithAuthorization', message } as const
        assert.equal(hashTransfer(transfer, domain), hashTypedData(data))
      }),
      { numRuns: 50 },
    )
  })

  test('is signed by the payer and nobody else, in any letter of it', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const from = account.address.toLowerCase() as Hex
    const message = { from, to: from, value: 5n, validAfter: 1n, validBefore: 9n, nonce: generatePrivateKey() }
    const data = { domain: DOMAIN, types: TYPES, primaryType: 'TransferWithAuthorization', message } as const
    const transfer: Transfer = { ...message, signature: await account.signTypedData(data) }
    assert.equal(await isSigned(transfer, domain), true)
    const other: Hex = `0x${'12'.repeat(20)}`
    const changes: Partial<Transfer>[] = [
      { from: other },
      { to: other },
      { value: 6n },
      { validAfter: 2n },
      { validBefore: 10n },
      { nonce: generatePrivateKey() },
      { signature: `0x${'00'.repeat(65)}` },
      { signature: `0x${'ff'.repeat(64)}1b` },
    ]
    for (const change of changes) {
      assert.equal(await isSigned({ ...transfer, ...change }, domain), false, JSON.stringify(Object.keys(change)))
    }
    assert.equal(await isSigned(transfer, computeDomainSeparator({ ...BASE, chainId: 1 }, BASE_USDC)), false)
  })
})

test('calls of the token are written as a general encoder writes them', () => {
  fc.assert(
    fc.property(transfers, (transfer) => {
      const { from, to, value, validAfter, validBefore, nonce, signature } = transfer
      const { r, s } = parseSignature(signature)
      const args = [from, to, value, validAfter, validBefore, nonce, 27, r, s] as const
      const take = encodeFunctionData({ abi: ABI, functionName: 'transferWithAuthorization', args })
      assert.equal(encodeTransfer(transfer, false), take)
      const long: Hex = `0x${signature.slice(2).repeat(1 + Number(value % 9n))}`
      const bytes = [from, to, value, validAfter, validBefore, nonce, long] as const
      assert.equal(
        encodeTransfer({ ...transfer, signature: long }, true),
        encodeFunctionData({ abi: WITH_BYTES, functionName: 'transferWithAuthorization', args: bytes }),
      )
      const whether = encodeFunctionData({ abi: ABI, functionName: 'authorizationState', args: [from, nonce] })
      assert.equal(encodeAuthorizationState(transfer), whether)
      const balance = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [from] })
      assert.equal(encodeBalanceOf(transfer), balance)
      assert.equal(DOMAIN_SEPARATOR_CALL, encodeFunctionData({ abi: ABI, functionName: 'DOMAIN_SEPARATOR' }))
    }),
    { numRuns: 50 },
  )
})

suite('a transaction took a transfer', () => {
  const word = (digits: string) => `0x${digits.padStart(64, '0')}`
  const [payer, payee, stranger] = ['aa', 'bb', 'cc'].map((pair) => pair.repeat(20)) as [string, string, string]
  const nonce: Hex = `0x${'01'.repeat(32)}`
  const transfer: Transfer = {
    from: `0x${payer}`,
    to: `0x${payee}`,
    value: 50_000n,
    validAfter: 0n,
    validBefore: 1n,
    nonce,
    signature: '0x',
  }
  const address = BASE_USDC.address
  const used = (number: Hex = nonce, by = payer) => ({
    address,
    topics: ['0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5', word(by), number],
    data: '0x',
  })
  const moved = (to = payee, value = 50_000, token: string = address) => ({
    address: token,
    topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', word(payer), word(to)],
    data: word(value.toString(16)),
  })
  const otherNonce: Hex = `0x${'02'.repeat(32)}`
  for (const [what, entries, expected] of [
    ['where its nonce is used and the money moves', [used(), moved()], true],
    ['among other things', [moved(stranger), used(), moved(), used(otherNonce)], true],
    ['not without the money', [used()], false],
    ['not without the nonce', [moved()], false],
    ['not where the nonce served a payment to somebody else', [used(), moved(stranger)], false],
    [
      'not where the nonce served a payment to himself, and another one pays us in the same transaction',
      [used(), moved(payer), used(otherNonce), moved()],
      false,
    ],
    ['not in other money', [used(), moved(payee, 50_000, `0x${stranger}`)], false],
    ['not for another amount', [used(), moved(payee, 49_999)], false],
    ['not where another payer used the nonce', [used(nonce, stranger), moved()], false],
  ] as const) {
    test(what, () => assert.equal(includesTransfer(transfer, BASE_USDC, entries), expected))
  }
})
