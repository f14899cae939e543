import { encodeFunctionData, type Hex, namehash, numberToHex, parseAbi, zeroAddress, zeroHash } from 'viem'
import { MAINNET } from './addresses.ts'
import { type InitialEnsName, type InitialName, INITIAL_NAMES, type Records, type RegisteredName } from './names.ts'
import type { Rpc } from './node.ts'
import { send } from './send.ts'

const CONTROLLER = parseAbi([
  'struct Registration { string label; address owner; uint256 duration; bytes32 secret; address resolver; bytes[] data; uint8 reverseRecord; bytes32 referrer; }',
  'function makeCommitment(Registration registration) pure returns (bytes32)',
  'function register(Registration registration) payable',
])
const WRAPPED_CONTROLLER = parseAbi([
  'function makeCommitment(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 fuses) pure returns (bytes32)',
  'function register(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 fuses) payable',
])
const COMMIT = parseAbi(['function commit(bytes32 commitment)'])
const RESOLVER = parseAbi([
  'function setAddr(bytes32 node, uint256 coinType, bytes a)',
  'function setText(bytes32 node, string key, string value)',
  'function setContenthash(bytes32 node, bytes hash)',
])

const DAY_SECONDS = 86_400
const ETHEREUM_COIN_TYPE = 60n
/** Longer ago than the expiry of any name. */
export const CHAIN_AGE_SECONDS = 500 * DAY_SECONDS
/** Between the commitments, at the start of the chain, and the first registration. */
const FIRST_REGISTRATION_SECONDS = 3600
/** More than any of these names costs; the controllers refund the rest. */
const MAX_PRICE_WEI = 10n ** 18n

/** Registers the initial names through the controllers. `now`, in seconds, is the time their expiry counts from. */
export async function registerNames(rpc: Rpc, now: number): Promise<Readonly<Record<InitialEnsName, RegisteredName>>> {
  const registrations = INITIAL_NAMES.map((initial: InitialName, index) => {
    // A second apart: every block needs a later timestamp.
    const at = now - CHAIN_AGE_SECONDS + FIRST_REGISTRATION_SECONDS + index
    const expires = now + initial.expiresInDays * DAY_SECONDS
    return { initial, at, expires, ...encodeRegistration(initial, BigInt(expires - at)) }
  })
  for (const { initial, controller, makeCommitment } of registrations) {
    const commitment = (await rpc('eth_call', [{ to: controller, data: makeCommitment }, 'latest'])) as Hex
    const data = encodeFunctionData({ abi: COMMIT, args: [commitment] })
    await send(rpc, { from: initial.owner, to: controller, data })
  }
  for (const { initial, at, controller, register } of registrations) {
    await rpc('evm_setNextBlockTimestamp', [numberToHex(at)])
    await send(rpc, { from: initial.owner, to: controller, data: register, value: MAX_PRICE_WEI })
  }
  const registered = registrations.map(({ initial: { expiresInDays: _, isPrimary: __, ...name }, expires }) => ({
    ...name,
    expires,
  }))
  return Object.fromEntries(registered.map((name) => [name.name, name])) as Record<InitialEnsName, RegisteredName>
}

/** The call data of both registration steps, and the controller to call. */
function encodeRegistration(
  initial: InitialName,
  duration: bigint,
): { controller: Hex; makeCommitment: Hex; register: Hex } {
  const label = initial.name.replace(/\.eth$/, '')
  const data = recordCalls(namehash(initial.name), initial.records)
  const { owner, resolver, isPrimary = false } = initial
  // No secret is needed: the chain has no other users.
  const secret = zeroHash
  if (initial.wrapped) {
    const abi = WRAPPED_CONTROLLER
    const args = [label, owner, duration, secret, resolver ?? zeroAddress, data, isPrimary, 0] as const
    return {
      controller: MAINNET.wrappedController,
      makeCommitment: encodeFunctionData({ abi, functionName: 'makeCommitment', args }),
      register: encodeFunctionData({ abi, functionName: 'register', args }),
    }
  }
  const abi = CONTROLLER
  const registration = { label, owner, duration, secret, data, resolver: resolver ?? zeroAddress }
  const args = [{ ...registration, reverseRecord: isPrimary ? 1 : 0, referrer: zeroHash }] as const
  return {
    controller: MAINNET.controller,
    makeCommitment: encodeFunctionData({ abi, functionName: 'makeCommitment', args }),
    register: encodeFunctionData({ abi, functionName: 'register', args }),
  }
}

function recordCalls(node: Hex, { address, text = {}, contenthash }: Records): Hex[] {
  const abi = RESOLVER
  const texts = Object.entries(text).map(([key, value]) =>
    encodeFunctionData({ abi, functionName: 'setText', args: [node, key, value] }),
  )
  return [
    ...(address
      ? [encodeFunctionData({ abi, functionName: 'setAddr', args: [node, ETHEREUM_COIN_TYPE, address] })]
      : []),
    ...texts,
    ...(contenthash ? [encodeFunctionData({ abi, functionName: 'setContenthash', args: [node, contenthash] })] : []),
  ]
}
