import assert from 'node:assert/strict'
import {
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
  numberToHex,
  toFunctionSelector,
} from 'viem'
import { WALLET } from '../../sandbox/chain/accounts.ts'
import { MAINNET } from '../../sandbox/chain/addresses.ts'
import type { Chain } from '../../sandbox/chain/start.ts'
import { prepareEnsRenewal, prepareEnsUpdate } from '../../src/ens/contract/management.ts'
import { prepareEnsCommit, prepareEnsRegister } from '../../src/ens/contract/registration.ts'
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import { type Ens, type Relay, walletOf } from '../support/ens.ts'
import { useNodes } from './chain.fixture.ts'

const THIEF: Hex = '0x00000000000000000000000000000000DeaDBeef'
const owner = WALLET.address
const word = (value: bigint | Hex): Hex => numberToHex(BigInt(value), { size: 32 })

type MulticallCall = { readonly target: Hex; readonly callData: Hex }
type Result = { readonly success: boolean; readonly returnData: Hex }
/** Changes the result of one call. */
type Lie = (call: MulticallCall, result: Result) => Result

/** Changes what one function of one contract returns. */
const lieAbout =
  (contract: Hex, signature: string, change: (data: Hex) => Hex): Lie =>
  ({ target, callData }, result) => {
    const isThisCall =
      target.toLowerCase() === contract.toLowerCase() && callData.startsWith(toFunctionSelector(signature))
    return isThisCall ? { success: true, returnData: change(result.returnData) } : result
  }
/** Multiplies both parts of a price. */
const times = (factor: bigint, divisor: bigint) => (data: Hex) => {
  const [base, premium] = [BigInt(data.slice(0, 66)), BigInt(`0x${data.slice(66)}`)]
  return `${word((base * factor) / divisor)}${word((premium * factor) / divisor).slice(2)}` as Hex
}
const { controller, wrappedController, registry, registrar, nameWrapper, multicall } = MAINNET
const RENT = 'rentPrice(string,uint256)'

export const LIES: Readonly<Record<string, Lie>> = {
  'the resolver is another contract': lieAbout(registry, 'resolver(bytes32)', () => word(THIEF)),
  'there is no resolver': lieAbout(registry, 'resolver(bytes32)', () => word(0n)),
  'the price is a hundredth': lieAbout(controller, RENT, times(1n, 100n)),
  'the price is a hundred times higher': lieAbout(controller, RENT, times(100n, 1n)),
  'the price for wrapped names is higher': lieAbout(wrappedController, RENT, times(100n, 1n)),
  'the name is wrapped': lieAbout(registry, 'owner(bytes32)', () => word(nameWrapper)),
  'the name has another owner': lieAbout(registrar, 'ownerOf(uint256)', () => word(THIEF)),
  'the name was never registered': lieAbout(registrar, 'nameExpires(uint256)', () => word(0n)),
  'the name is registered until 2096': lieAbout(registrar, 'nameExpires(uint256)', () => word(4_000_000_000n)),
  'the controller is not authorized': lieAbout(registrar, 'controllers(address)', () => word(0n)),
  'commitments need not wait': lieAbout(controller, 'minCommitmentAge()', () => word(0n)),
  'commitments must wait for a year': lieAbout(controller, 'minCommitmentAge()', () => word(31_536_000n)),
  'commitments last for ever': lieAbout(controller, 'maxCommitmentAge()', () => word(2n ** 40n)),
  'there is no commitment': lieAbout(controller, 'commitments(bytes32)', () => word(0n)),
  'it is a year later': lieAbout(multicall, 'getCurrentBlockTimestamp()', (data) => word(BigInt(data) + 31_536_000n)),
  'contracts return nothing': (call, result) =>
    call.target.toLowerCase() === multicall.toLowerCase() ? result : { success: true, returnData: '0x' },
}

/** Makes a relay lie about calls inside Multicall3; `lies` counts the responses that were changed. */
export function makeLie(relay: Relay, lie: Lie): { lies(): number } {
  let lies = 0
  relay.falsify(({ method, params }, result) => {
    const [call] = params as [{ to: string; data: Hex }]
    if (method !== 'eth_call' || call.to.toLowerCase() !== multicall.toLowerCase()) return result
    const { args } = decodeFunctionData({ abi: multicall3Abi, data: call.data })
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: result as Hex })
    const changed = results.map((each, at) => lie((args[0] as readonly MulticallCall[])[at]!, each))
    const isLie = changed.some(({ returnData, success }, at) => {
      const { returnData: honest, success: isFine } = results[at]!
      return returnData !== honest || success !== isFine
    })
    if (isLie) lies += 1
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: changed })
  })
  return { lies: () => lies }
}

/** Makes a relay lag: `latest` is a block of some blocks ago, and later blocks are unknown. */
export async function makeLag(relay: Relay, chain: Chain, blocks: number): Promise<void> {
  const head = Number(await chain.rpc('eth_blockNumber')) - blocks
  relay.rewrite(({ params, ...call }) => {
    const [first, at, ...rest] = params
    assert.ok(
      at === undefined || at === 'latest' || Number(at) <= head,
      `asked for block ${String(at)}, which the node does not know`,
    )
    return { ...call, params: at === 'latest' ? [first, numberToHex(head), ...rest] : params }
  })
}

/** An endpoint that prepares a transaction, a valid input, and the status and code of its failures. */
export type PrepareCase = readonly [endpoint: Endpoint, input: Readonly<Record<string, unknown>>, failure: string]

/** Nodes for tests of every endpoint that prepares a transaction. */
export function usePreparation() {
  /** A registration whose commitment is old enough. */
  let registration_id: string
  const setup = useNodes(async () => {
    const ens = await setup.startEns([setup.chain])
    const prepared = await ens.ask(prepareEnsCommit, { name: 'brand-new', owner })
    await walletOf(WALLET.privateKey, setup.chain.url).send(prepared.transaction)
    registration_id = prepared.registration_id
    await setup.chain.increaseTime(60)
    // Old enough for a node that lags by three blocks, too.
    for (let block = 0; block < 3; block++) await setup.chain.mine()
  })
  const cases = (): Readonly<Record<string, PrepareCase>> => ({
    'prepare-commit': [prepareEnsCommit, { name: 'another-one', owner }, '400 prepare_commit_failed'],
    'prepare-register': [prepareEnsRegister, { registration_id }, '500 prepare_register_failed'],
    'prepare-update': [
      prepareEnsUpdate,
      { name: 'taken', owner, text: { url: 'https://new.example' } },
      '400 prepare_update_failed',
    ],
    'renew/prepare': [prepareEnsRenewal, { name: 'taken' }, '400 prepare_renew_failed'],
    'renew/prepare of a wrapped name': [prepareEnsRenewal, { name: 'wrapped' }, '400 prepare_renew_failed'],
  })
  return { setup, cases }
}

export async function assertRejected(
  ens: Ens,
  [endpoint, input, failure]: PrepareCase,
  expected: RegExp,
  what: string,
): Promise<void> {
  const { status, error, message } = await ens.refusal(endpoint, input)
  assert.equal(`${status} ${error}`, failure, what)
  assert.match(message, expected, what)
}
