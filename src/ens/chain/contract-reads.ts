import { encodeFunctionData, toFunctionSelector } from '../../kernel/ethereum/abi.ts'
import { getAddress } from '../../kernel/ethereum/bytes.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { controller2025Abi } from './abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { AgreedRead, Block, Call, Chain, CallResult } from './chain.ts'
import type { Contracts, ControllerKind } from './deployments.ts'
import { type RegistrationPhase, phaseAt } from './expiry.ts'
import type { EnsName } from '../contract/names.ts'
import { type NameHashes, hashName } from './namehash.ts'
import { type EthUsd, validEthUsd, type Rent } from './pricing.ts'
import { addressAt, boolAt, intAt, uintAt } from './abi-words.ts'

/** Calls to contracts, and how to decode what they return. Several are batched into one round trip. */
export type ContractRead<Value> = {
  readonly calls: readonly Call[]
  decode(returned: readonly CallResult[], block: Block): Value
}

export type ReadResults<Reads> = {
  -readonly [At in keyof Reads]: Reads[At] extends ContractRead<infer A> ? A : never
}

/** Performs all reads at the same block, in one round trip. */
export async function readContracts<const Reads extends readonly ContractRead<unknown>[]>(
  chain: Pick<Chain, 'read'>,
  reads: Reads,
  signal?: AbortSignal,
): Promise<ReadResults<Reads>> {
  const { returned, block } = await chain.read(collectCalls(reads), signal)
  return decodeResults(reads, returned, block)
}

type Agreed<Reads> =
  | { readonly kind: 'agreed'; readonly results: ReadResults<Reads> }
  | Exclude<AgreedRead, { kind: 'agreed' }>

/** Reads from two nodes that must agree, for everything that goes into a transaction. */
export async function readFromTwoNodes<const Reads extends readonly ContractRead<unknown>[]>(
  chain: Pick<Chain, 'readAgreed'>,
  reads: Reads,
  signal?: AbortSignal,
): Promise<Agreed<Reads>> {
  const agreed = await chain.readAgreed(collectCalls(reads), signal)
  if (agreed.kind !== 'agreed') return agreed
  return { kind: 'agreed', results: decodeResults(reads, agreed.returned, agreed.block) }
}

/** Performs all reads and fetches the gas price, in one round trip. */
export async function readWithGasPrice<const Reads extends readonly ContractRead<unknown>[]>(
  chain: Pick<Chain, 'readWithGasPrice'>,
  reads: Reads,
  signal?: AbortSignal,
): Promise<{ readonly results: ReadResults<Reads>; readonly gasPrice: bigint }> {
  const { returned, block, gasPrice } = await chain.readWithGasPrice(collectCalls(reads), signal)
  return { results: decodeResults(reads, returned, block), gasPrice }
}

const collectCalls = (reads: readonly ContractRead<unknown>[]): Call[] => reads.flatMap(({ calls }) => calls)

function decodeResults<Reads extends readonly ContractRead<unknown>[]>(
  reads: Reads,
  returned: readonly CallResult[],
  block: Block,
): ReadResults<Reads> {
  let at = 0
  return reads.map((read) => read.decode(returned.slice(at, (at += read.calls.length)), block)) as ReadResults<Reads>
}

/** Who holds a name and for how long. Times are seconds by the chain's clock. */
export type NameState = {
  readonly now: number
  readonly expires: bigint
  readonly phase: RegistrationPhase
  readonly owner: Hex | undefined
  readonly resolver: Hex | undefined
  /** Whether the name wrapper holds the registration. */
  readonly isWrapped: boolean
}

const SELECTORS = {
  owner: toFunctionSelector('owner(bytes32)'),
  resolver: toFunctionSelector('resolver(bytes32)'),
  nameExpires: toFunctionSelector('nameExpires(uint256)'),
  ownerOf: toFunctionSelector('ownerOf(uint256)'),
  controllers: toFunctionSelector('controllers(address)'),
  latestAnswer: toFunctionSelector('latestAnswer()'),
  minCommitmentAge: toFunctionSelector('minCommitmentAge()'),
  maxCommitmentAge: toFunctionSelector('maxCommitmentAge()'),
  commitments: toFunctionSelector('commitments(bytes32)'),
}

/** Encodes a call with at most one argument of up to 32 bytes. By hand, because every read needs several. */
const call = (to: Hex, name: keyof typeof SELECTORS, argument: Hex = '0x'): Call => ({
  to,
  data: argument === '0x' ? SELECTORS[name] : `${SELECTORS[name]}${argument.slice(2).toLowerCase().padStart(64, '0')}`,
})

export function nameStateRead(
  { registrar, registry, wrapper }: Contracts,
  name: EnsName,
  { label: token, node }: NameHashes = hashName(name),
): ContractRead<NameState> {
  return {
    calls: [
      call(registrar, 'nameExpires', token),
      call(registrar, 'ownerOf', token),
      call(registry, 'owner', node),
      call(registry, 'resolver', node),
      call(wrapper, 'ownerOf', node),
    ],
    decode([expiry, registrant, manager, resolver, wrapped], { timestamp: now }) {
      const expires = required(expiry, uintAt)
      const registered = optional(manager, addressAt)
      const isWrapped = registered === getAddress(wrapper)
      return {
        now,
        expires,
        phase: phaseAt(expires, now),
        // After expiry the registrar reports no owner; the registry still does.
        owner: isWrapped ? optional(wrapped, addressAt) : (optional(registrant, addressAt) ?? registered),
        resolver: optional(resolver, addressAt),
        isWrapped,
      }
    },
  }
}

/** The price a controller charges. */
export const rentRead = (
  { controllers }: Contracts,
  kind: ControllerKind,
  name: EnsName,
  seconds: number,
): ContractRead<Rent> => ({
  calls: [
    {
      to: controllers[kind].address,
      // The signature is the same in both controllers.
      data: encodeFunctionData({ abi: controller2025Abi, functionName: 'rentPrice', args: [name, BigInt(seconds)] }),
    },
  ],
  decode: ([price]) => ({
    base: required(price, uintAt),
    premium: required(price, (data) => uintAt(data, 1)),
  }),
})

export const ethUsdRead = ({ ethUsdFeed }: Contracts): ContractRead<EthUsd | undefined> => ({
  calls: [call(ethUsdFeed, 'latestAnswer')],
  decode: ([answer]) => validEthUsd(optional(answer, intAt)),
})

/** Whether a controller may register and renew. The 2023 controller does both through the wrapper. */
export function authorizationRead(
  { registrar, wrapper, controllers }: Contracts,
  kind: ControllerKind,
): ContractRead<boolean> {
  const { address } = controllers[kind]
  return {
    calls:
      kind === '2023'
        ? [call(registrar, 'controllers', wrapper), call(wrapper, 'controllers', address)]
        : [call(registrar, 'controllers', address)],
    decode: (grants) => grants.every((grant) => optional(grant, boolAt) === true),
  }
}

/** Bounds on the age of a commitment at registration. */
export type CommitmentAges = { readonly minSeconds: number; readonly maxSeconds: number }

export const commitmentAgesRead = ({ controllers }: Contracts, kind: ControllerKind): ContractRead<CommitmentAges> => ({
  calls: [call(controllers[kind].address, 'minCommitmentAge'), call(controllers[kind].address, 'maxCommitmentAge')],
  decode: ([min, max]) => ({
    minSeconds: Number(required(min, uintAt)),
    maxSeconds: Number(required(max, uintAt)),
  }),
})

/** When a commitment was made, in seconds since the epoch; 0 if it was never made or is used up. */
export const commitmentTimeRead = (controller: Hex, commitment: Hex): ContractRead<number> => ({
  calls: [call(controller, 'commitments', commitment)],
  decode: ([made]) => Number(required(made, uintAt)),
})

type DecodeWord<T> = (data: Hex, index: number) => T | undefined

const optional = <T>(returned: CallResult | undefined, decode: DecodeWord<T>): T | undefined =>
  returned?.ok ? decode(returned.data, 0) : undefined

/** Throws unless the value is there: every ENS contract returns it, so anything else is not an ENS contract. */
function required<T>(returned: CallResult | undefined, decode: DecodeWord<T>): T {
  const value = optional(returned, decode)
  if (value !== undefined) return value
  throw new UpstreamError('unavailable', 'the contracts at the configured addresses do not behave like ENS contracts')
}
