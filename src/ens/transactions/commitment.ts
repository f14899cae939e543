/** Registration in two steps: announce a hash, wait, then show what it stood for. */
import { encodeAbiParameters, encodeFunctionData, getAbiItem, keccak256 } from 'viem/utils'
import { controller2023Abi, controller2025Abi, resolverAbi } from '../chain/abi.ts'
import type { Call, Hex } from '../chain/chain.ts'
import type { Controller, ControllerKind } from '../chain/deployments.ts'
import type { EnsName } from '../contract/names.ts'
import { labelhash, nodeOf } from '../chain/namehash.ts'

/** Everything the commitment is a hash of. One bit of it changed between the two steps, and the name is not given. */
export type Registration = {
  readonly kind: ControllerKind
  readonly controller: Hex
  readonly resolver: Hex
  readonly label: EnsName
  readonly owner: Hex
  readonly durationSeconds: number
  readonly secret: Hex
  readonly reverseRecord: boolean
  /** Calls to the resolver, made as part of the registration. */
  readonly data: readonly Hex[]
}

export type Wish = Pick<Registration, 'label' | 'owner' | 'durationSeconds' | 'secret' | 'reverseRecord'>

export const COIN_ETH = 60n
const NO_REFERRER: Hex = `0x${'00'.repeat(32)}`
/** Which reverse records are set: 1 is the one of Ethereum, 2 the one all chains fall back to. */
const REVERSE_ETHEREUM = 1
const NO_FUSES = 0

/** A reverse record counts only where the name points back at the address, so the address is set along with it. */
export function registrationOf(wish: Wish, { kind, address, resolver }: Controller): Registration {
  const { label, owner, durationSeconds, secret, reverseRecord } = wish
  const data = reverseRecord ? [setAddress(nodeOf(label), owner)] : []
  return { kind, controller: address, resolver, label, owner, durationSeconds, secret, reverseRecord, data }
}

/** Bytes are encoded in the letters they came in: lower case, so that the same address is the same commitment. */
export const setAddress = (node: Hex, address: Hex): Hex =>
  encodeFunctionData({
    abi: resolverAbi,
    functionName: 'setAddr',
    args: [node, COIN_ETH, address.toLowerCase() as Hex],
  })

export function commitmentOf(registration: Registration): Hex {
  if (registration.kind === '2025') {
    return keccak256(encodeAbiParameters(STRUCT_2025, [structOf(registration)]))
  }
  const [label, ...rest] = argumentsOf(registration)
  return keccak256(encodeAbiParameters(HASHED_2023, [labelhash(label), ...rest]))
}

const STRUCT_2025 = getAbiItem({ abi: controller2025Abi, name: 'makeCommitment' }).inputs

/** The controller of 2023 hashes the label before the rest. */
const HASHED_2023 = [
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'uint256' },
  { type: 'bytes32' },
  { type: 'address' },
  { type: 'bytes[]' },
  { type: 'bool' },
  { type: 'uint16' },
] as const

export const commitCall = (registration: Registration): Call => ({
  to: registration.controller,
  data: encodeFunctionData({ abi: controller2025Abi, functionName: 'commit', args: [commitmentOf(registration)] }),
})

export const registerCall = (registration: Registration): Call => ({
  to: registration.controller,
  data:
    registration.kind === '2025'
      ? encodeFunctionData({ abi: controller2025Abi, functionName: 'register', args: [structOf(registration)] })
      : encodeFunctionData({ abi: controller2023Abi, functionName: 'register', args: argumentsOf(registration) }),
})

export function renewCall(
  { kind, address }: Pick<Controller, 'kind' | 'address'>,
  label: EnsName,
  seconds: number,
): Call {
  const duration = BigInt(seconds)
  const data =
    kind === '2025'
      ? encodeFunctionData({ abi: controller2025Abi, functionName: 'renew', args: [label, duration, NO_REFERRER] })
      : encodeFunctionData({ abi: controller2023Abi, functionName: 'renew', args: [label, duration] })
  return { to: address, data }
}

const structOf = ({ label, owner, durationSeconds, secret, resolver, data, reverseRecord }: Registration) => ({
  label,
  owner,
  duration: BigInt(durationSeconds),
  secret,
  resolver,
  data,
  reverseRecord: reverseRecord ? REVERSE_ETHEREUM : 0,
  referrer: NO_REFERRER,
})

const argumentsOf = ({ label, owner, durationSeconds, secret, resolver, data, reverseRecord }: Registration) =>
  [label, owner, BigInt(durationSeconds), secret, resolver, data, reverseRecord, NO_FUSES] as const
