import { encodeFunctionData, getAddress, toFunctionSelector } from 'viem/utils'
import { UpstreamError } from '../../kernel/errors.ts'
import { controller2025Abi } from './abi.ts'
import type { AgreedReading, Block, Call, Chain, Hex, Returned } from './chain.ts'
import type { Contracts, ControllerKind } from './deployments.ts'
import { type Tenure, tenureOf } from './expiry.ts'
import type { EnsName } from '../contract/names.ts'
import { type Hashes, hashesOf } from './namehash.ts'
import { type EthUsd, ethUsdOf, type Rent } from './pricing.ts'
import { addressAt, boolAt, intAt, uintAt } from './abi-words.ts'

/** Calls, and what their returns come to. Several are asked in one round trip. */
export type Question<Answer> = {
  readonly calls: readonly Call[]
  read(returned: readonly Returned[], block: Block): Answer
}

export type Answers<Questions> = {
  -readonly [At in keyof Questions]: Questions[At] extends Question<infer A> ? A : never
}

/** Asks all of them of the same block, in one round trip. */
export async function askTogether<const Questions extends readonly Question<unknown>[]>(
  chain: Pick<Chain, 'read'>,
  questions: Questions,
  signal?: AbortSignal,
): Promise<Answers<Questions>> {
  const { returned, block } = await chain.read(callsOf(questions), signal)
  return answersOf(questions, returned, block)
}

type Agreed<Questions> =
  | { readonly kind: 'agreed'; readonly answers: Answers<Questions> }
  | Exclude<AgreedReading, { kind: 'agreed' }>

/** Asks two nodes, for what goes into a transaction. */
export async function askTwoNodes<const Questions extends readonly Question<unknown>[]>(
  chain: Pick<Chain, 'readAgreed'>,
  questions: Questions,
  signal?: AbortSignal,
): Promise<Agreed<Questions>> {
  const reading = await chain.readAgreed(callsOf(questions), signal)
  if (reading.kind !== 'agreed') return reading
  return { kind: 'agreed', answers: answersOf(questions, reading.returned, reading.block) }
}

/** Asks all of them, and what gas costs, still in one round trip. */
export async function askWithGasPrice<const Questions extends readonly Question<unknown>[]>(
  chain: Pick<Chain, 'readWithGasPrice'>,
  questions: Questions,
  signal?: AbortSignal,
): Promise<{ readonly answers: Answers<Questions>; readonly gasPrice: bigint }> {
  const { returned, block, gasPrice } = await chain.readWithGasPrice(callsOf(questions), signal)
  return { answers: answersOf(questions, returned, block), gasPrice }
}

const callsOf = (questions: readonly Question<unknown>[]): Call[] => questions.flatMap(({ calls }) => calls)

function answersOf<Questions extends readonly Question<unknown>[]>(
  questions: Questions,
  returned: readonly Returned[],
  block: Block,
): Answers<Questions> {
  let at = 0
  return questions.map((question) =>
    question.read(returned.slice(at, (at += question.calls.length)), block),
  ) as Answers<Questions>
}

/** Who holds a name and for how long. Times are those of the chain. */
export type Standing = {
  readonly now: number
  readonly expires: bigint
  readonly tenure: Tenure
  readonly owner: Hex | undefined
  readonly resolver: Hex | undefined
  /** Held through the name wrapper. */
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

/** A call with one argument of 32 bytes or fewer; put together by hand, as it is part of every question. */
const call = (to: Hex, name: keyof typeof SELECTORS, argument: Hex = '0x'): Call => ({
  to,
  data: argument === '0x' ? SELECTORS[name] : `${SELECTORS[name]}${argument.slice(2).toLowerCase().padStart(64, '0')}`,
})

export function standingQuestion(
  { registrar, registry, wrapper }: Contracts,
  name: EnsName,
  { label: token, node }: Hashes = hashesOf(name),
): Question<Standing> {
  return {
    calls: [
      call(registrar, 'nameExpires', token),
      call(registrar, 'ownerOf', token),
      call(registry, 'owner', node),
      call(registry, 'resolver', node),
      call(wrapper, 'ownerOf', node),
    ],
    read([expiry, registrant, manager, resolver, wrapped], { timestamp: now }) {
      const expires = required(expiry, uintAt)
      const registered = optional(manager, addressAt)
      const isWrapped = registered === getAddress(wrapper)
      return {
        now,
        expires,
        tenure: tenureOf(expires, now),
        // The registrar stops naming an owner when the name expires; the registry does not.
        owner: isWrapped ? optional(wrapped, addressAt) : (optional(registrant, addressAt) ?? registered),
        resolver: optional(resolver, addressAt),
        isWrapped,
      }
    },
  }
}

/** What a controller asks for. */
export const rentQuestion = (
  { controllers }: Contracts,
  kind: ControllerKind,
  name: EnsName,
  seconds: number,
): Question<Rent> => ({
  calls: [
    {
      to: controllers[kind].address,
      // The same in both.
      data: encodeFunctionData({ abi: controller2025Abi, functionName: 'rentPrice', args: [name, BigInt(seconds)] }),
    },
  ],
  read: ([price]) => ({
    base: required(price, uintAt),
    premium: required(price, (data) => uintAt(data, 1)),
  }),
})

export const rateQuestion = ({ ethUsdFeed }: Contracts): Question<EthUsd | undefined> => ({
  calls: [call(ethUsdFeed, 'latestAnswer')],
  read: ([answer]) => ethUsdOf(optional(answer, intAt)),
})

/** Whether a controller may register and renew. The one of 2023 does both through the wrapper. */
export function authorityQuestion(
  { registrar, wrapper, controllers }: Contracts,
  kind: ControllerKind,
): Question<boolean> {
  const { address } = controllers[kind]
  return {
    calls:
      kind === '2023'
        ? [call(registrar, 'controllers', wrapper), call(wrapper, 'controllers', address)]
        : [call(registrar, 'controllers', address)],
    read: (grants) => grants.every((grant) => optional(grant, boolAt) === true),
  }
}

/** How long a commitment must and may wait, in seconds. */
export type CommitmentAges = { readonly least: number; readonly most: number }

export const agesQuestion = ({ controllers }: Contracts, kind: ControllerKind): Question<CommitmentAges> => ({
  calls: [call(controllers[kind].address, 'minCommitmentAge'), call(controllers[kind].address, 'maxCommitmentAge')],
  read: ([least, most]) => ({ least: Number(required(least, uintAt)), most: Number(required(most, uintAt)) }),
})

/** When a commitment was made, in seconds since the epoch; 0 where it was not, or has been used. */
export const commitmentQuestion = (controller: Hex, commitment: Hex): Question<number> => ({
  calls: [call(controller, 'commitments', commitment)],
  read: ([made]) => Number(required(made, uintAt)),
})

type ReadWord<T> = (data: Hex, index: number) => T | undefined

const optional = <T>(returned: Returned | undefined, read: ReadWord<T>): T | undefined =>
  returned?.ok ? read(returned.data, 0) : undefined

/** What any ENS contract at that address would have answered. */
function required<T>(returned: Returned | undefined, read: ReadWord<T>): T {
  const value = optional(returned, read)
  if (value !== undefined) return value
  throw new UpstreamError('unavailable', 'the contracts at the configured addresses do not answer as those of ENS do')
}
