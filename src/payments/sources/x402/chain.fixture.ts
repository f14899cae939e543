import assert from 'node:assert/strict'
import { after } from 'node:test'
import { encodeFunctionData, parseAbi } from 'viem'
import { ADMIN } from '../../../../sandbox/chain/accounts.ts'
import { send } from '../../../../sandbox/chain/send.ts'
import { type BaseChain, startBaseChain } from '../../../../sandbox/money/base-chain.ts'
import { type Clock, systemClock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import { BASE_USDC } from './network.ts'
import type { createWallet, signAuthorization } from './x402.fixture.ts'

export const ABI = parseAbi([
  'function blacklist(address account)',
  'function pause()',
  'function unpause()',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
/** A chain for all tests of a file, stopped after the last one. */
export async function startChainForFile(): Promise<BaseChain> {
  const chain = await startBaseChain()
  after(() => chain.stop())
  return chain
}

export const asAdmin = (chain: BaseChain, data: Hex) =>
  send(chain.rpc, { from: ADMIN.address, to: BASE_USDC.address, data })

export const refused =
  (problem: string, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof PaymentRefused, String(error))
    assert.equal(error.problem, problem, error.message)
    assert.match(error.message, message)
    return true
  }
export const unknownOutcome = (error: unknown) => {
  assert.ok(error instanceof UpstreamError, String(error))
  return true
}
/** A clock that is off by a number of seconds. */
export const clockOffBy = (seconds: number): Clock => ({
  ...systemClock,
  now: () => systemClock.now() + seconds * 1000,
})

/** Submits an authorization from an account that is not the settler's. */
export async function submit(chain: BaseChain, payload: Awaited<ReturnType<typeof signAuthorization>>): Promise<void> {
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization
  const args = [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, payload.signature] as const
  await asAdmin(chain, encodeFunctionData({ abi: ABI, functionName: 'transferWithAuthorization', args }))
}

export async function cancel(
  chain: BaseChain,
  account: Awaited<ReturnType<typeof createWallet>>,
  nonce: Hex,
  authorizer: Hex = account.address,
): Promise<void> {
  const signature = await account.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: BASE_USDC.address },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer, nonce },
  })
  const args = [authorizer, nonce, signature] as const
  await asAdmin(chain, encodeFunctionData({ abi: ABI, functionName: 'cancelAuthorization', args }))
}
