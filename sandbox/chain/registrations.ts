import { encodeFunctionData, type Hex, namehash, numberToHex, parseAbi, zeroAddress, zeroHash } from 'viem'
import { MAINNET } from './addresses.ts'
import { type NameAtStart, type Plan, PLANS, type Records, type RegisteredName } from './names.ts'
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

const DAY = 86_400
const ETHEREUM = 60n
/** Older than any name that has lapsed; commitments are made now and used an hour later. */
export const AGE_OF_CHAIN = 500 * DAY
const FIRST_REGISTRATION = 3600
/** More than any of these names costs; the controllers give back what is left. */
const PLENTY = 10n ** 18n

/** Registers the names at the beginning of the chain, as people would. They expire by the clock that says `now`. */
export async function registerNames(rpc: Rpc, now: number): Promise<Readonly<Record<NameAtStart, RegisteredName>>> {
  const papers = PLANS.map((plan: Plan, index) => {
    // A second apart, because no two blocks are made at the same time.
    const at = now - AGE_OF_CHAIN + FIRST_REGISTRATION + index
    const expires = now + plan.expiresIn * DAY
    return { plan, at, expires, ...papersOf(plan, BigInt(expires - at)) }
  })
  for (const { plan, controller, makeCommitment } of papers) {
    const commitment = (await rpc('eth_call', [{ to: controller, data: makeCommitment }, 'latest'])) as Hex
    const data = encodeFunctionData({ abi: COMMIT, args: [commitment] })
    await send(rpc, { from: plan.owner, to: controller, data })
  }
  for (const { plan, at, controller, register } of papers) {
    await rpc('evm_setNextBlockTimestamp', [numberToHex(at)])
    await send(rpc, { from: plan.owner, to: controller, data: register, value: PLENTY })
  }
  const registered = papers.map(({ plan: { expiresIn: _, isPrimary: __, ...name }, expires }) => ({ ...name, expires }))
  return Object.fromEntries(registered.map((name) => [name.name, name])) as Record<NameAtStart, RegisteredName>
}

/** The two calls that register a name, and the contract to make them to. */
function papersOf(plan: Plan, duration: bigint): { controller: Hex; makeCommitment: Hex; register: Hex } {
  const label = plan.name.replace(/\.eth$/, '')
  const data = recordCalls(namehash(plan.name), plan.records)
  const { owner, resolver, isPrimary = false } = plan
  // No secret is needed where nobody else is there to be faster.
  const secret = zeroHash
  if (plan.wrapped) {
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
    ...(address ? [encodeFunctionData({ abi, functionName: 'setAddr', args: [node, ETHEREUM, address] })] : []),
    ...texts,
    ...(contenthash ? [encodeFunctionData({ abi, functionName: 'setContenthash', args: [node, contenthash] })] : []),
  ]
}
