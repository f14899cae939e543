/** Commit-reveal registration: publish a hash, wait, then register with the values it was computed from. */
import { encodeAbiParameters, encodeFunctionData, getAbiItem } from '../../kernel/ethereum/abi.ts'
import { keccak256 } from '../../kernel/ethereum/bytes.ts'
import { controller2023Abi, controller2025Abi, resolverAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Call } from '../chain/chain.ts'
import { COIN_TYPE_ETH, type Controller, type ControllerKind } from '../chain/deployments.ts'
import type { EnsName } from '../contract/names.ts'
import { labelhash, nodeOf } from '../chain/namehash.ts'

/** Everything the commitment is computed from. If any of it changes between the two steps, registration fails. */
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

export type RegistrationRequest = Pick<Registration, 'label' | 'owner' | 'durationSeconds' | 'secret' | 'reverseRecord'>

const NO_REFERRER: Hex = `0x${'00'.repeat(32)}`
/** Bit field of the 2025 controller: 1 is the Ethereum reverse record, 2 the default for all chains. */
const REVERSE_ETHEREUM = 1
const NO_FUSES = 0

/** A reverse record is only valid if the name resolves to the address, so the address record is set, too. */
export function createRegistration(
  request: RegistrationRequest,
  { kind, address, resolver }: Controller,
): Registration {
  const { label, owner, durationSeconds, secret, reverseRecord } = request
  const data = reverseRecord ? [encodeSetAddress(nodeOf(label), owner)] : []
  return { kind, controller: address, resolver, label, owner, durationSeconds, secret, reverseRecord, data }
}

/** In lower case, so that an address always gives the same commitment. */
export const encodeSetAddress = (node: Hex, address: Hex): Hex =>
  encodeFunctionData({
    abi: resolverAbi,
    functionName: 'setAddr',
    args: [node, COIN_TYPE_ETH, address.toLowerCase() as Hex],
  })

export function computeCommitment(registration: Registration): Hex {
  if (registration.kind === '2025') {
    return keccak256(encodeAbiParameters(STRUCT_2025, [struct2025(registration)]))
  }
  const [label, ...rest] = arguments2023(registration)
  return keccak256(encodeAbiParameters(HASHED_2023, [labelhash(label), ...rest]))
}

const STRUCT_2025 = getAbiItem({ abi: controller2025Abi, name: 'makeCommitment' }).inputs

/** The 2023 controller hashes the label separately. */
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
  data: encodeFunctionData({ abi: controller2025Abi, functionName: 'commit', args: [computeCommitment(registration)] }),
})

export const registerCall = (registration: Registration): Call => ({
  to: registration.controller,
  data:
    registration.kind === '2025'
      ? encodeFunctionData({ abi: controller2025Abi, functionName: 'register', args: [struct2025(registration)] })
      : encodeFunctionData({ abi: controller2023Abi, functionName: 'register', args: arguments2023(registration) }),
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

const struct2025 = ({ label, owner, durationSeconds, secret, resolver, data, reverseRecord }: Registration) => ({
  label,
  owner,
  duration: BigInt(durationSeconds),
  secret,
  resolver,
  data,
  reverseRecord: reverseRecord ? REVERSE_ETHEREUM : 0,
  referrer: NO_REFERRER,
})

const arguments2023 = ({ label, owner, durationSeconds, secret, resolver, data, reverseRecord }: Registration) =>
  [label, owner, BigInt(durationSeconds), secret, resolver, data, reverseRecord, NO_FUSES] as const
