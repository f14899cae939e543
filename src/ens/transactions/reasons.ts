/** Why a contract refused, for a person. Any bytes give a sentence, and none says more than the bytes do. */
import { decodeErrorResult, parseAbi } from 'viem/utils'
import { controller2023Abi, controller2025Abi, resolverAbi, universalResolverAbi, wrapperAbi } from '../chain/abi.ts'
import type { Hex } from '../chain/chain.ts'
import { textOf } from '../chain/abi-words.ts'

/** What was being done: many contracts of ENS refuse without a word, and then this says what the refusal can mean. */
export type Deed = 'commit' | 'register' | 'renew' | 'update'

const ERRORS = [
  ...parseAbi(['error Error(string message)', 'error Panic(uint256 code)']),
  ...controller2025Abi,
  ...controller2023Abi,
  ...wrapperAbi,
  ...resolverAbi,
  ...universalResolverAbi,
].filter((item) => item.type === 'error')

/** No contract of ENS needs more to refuse; a longer answer is somebody's joke, and is not taken apart. */
const MAX_DIGITS = 2 * 4096

const SILENT: Readonly<Record<Deed, string>> = {
  commit: 'The controller refused without saying why.',
  register:
    'The contracts refused without saying why; most likely the name was taken meanwhile, or the wallet cannot receive the change.',
  renew:
    'The registrar refused without saying why; most likely the name is not registered, or its grace period has ended.',
  update:
    "The resolver refused without saying why; most likely the sender is neither the name's owner nor approved by the owner.",
}

export function reasonOf(data: Hex, deed?: Deed): string {
  if (data === '0x') return deed === undefined ? 'The contract refused without saying why.' : SILENT[deed]
  return knownReason(data) ?? `The contract refused with a code that is not known here (${data.slice(0, 10)}).`
}

function knownReason(data: Hex): string | undefined {
  if (data.length < 10 || data.length > MAX_DIGITS) return undefined
  try {
    return sentence(decodeErrorResult({ abi: ERRORS, data }))
  } catch {
    return undefined
  }
}

type Refusal = ReturnType<typeof decodeErrorResult<typeof ERRORS>>

/** Seconds in words, never negative. */
const left = (from: bigint, to: bigint): string => {
  const seconds = to > from ? to - from : 0n
  return `${seconds} ${seconds === 1n ? 'second' : 'seconds'}`
}

/** Words of a contract, short and on one line. */
const quoted = (text: string): string => `"${textOf(`0x${Buffer.from(text.slice(0, 200)).toString('hex')}`)}"`

function sentence(refusal: Refusal): string {
  const { errorName, args } = refusal
  switch (errorName) {
    case 'Error':
      return `The contract refused: ${quoted(args[0])}.`
    case 'Panic':
      return panicSentence(args[0])
    case 'CommitmentTooNew':
      return args.length === 3
        ? `The commitment is too young: ${left(args[2], args[1])} are left.`.replace('second are', 'second is')
        : 'The commitment is too young or was never made: register 60 seconds after it is mined.'
    case 'CommitmentTooOld':
      return args.length === 3
        ? `The commitment is too old: it ran out ${left(args[1], args[2])} ago. Start again with a new one.`
        : 'The commitment is too old, or was never made. Start again with a new one.'
    case 'CommitmentNotFound':
      return 'The commitment is not on the chain: send the commit transaction first and wait until it is mined.'
    case 'UnexpiredCommitmentExists':
      return 'The same commitment is on the chain already and still good: register with it.'
    case 'NameNotAvailable':
      return `${quoted(args[0])} is not available: somebody holds it, or it is in its grace period.`
    case 'DurationTooShort':
      return `${args[0]} seconds are too short: a name is registered for at least 28 days (2419200 seconds).`
    case 'InsufficientValue':
      return 'The value sent is less than the price; the price may have risen meanwhile.'
    case 'ResolverRequiredWhenDataSupplied':
      return 'Records are to be set, but no resolver is named that could keep them.'
    case 'ResolverRequiredForReverseRecord':
      return 'A reverse record is to be set, but no resolver is named that could keep it.'
    case 'MaxCommitmentAgeTooHigh':
    case 'MaxCommitmentAgeTooLow':
      return 'The controller is set up with an impossible age of commitments.'
    case 'Unauthorised':
      return `${args[1]} is neither the owner of the wrapped name nor approved by the owner.`
    case 'OperationProhibited':
      return 'The wrapped name has burned the fuse that would allow this.'
    case 'NameIsNotWrapped':
      return 'The name is not wrapped.'
    case 'IncorrectTargetOwner':
      return `The wrapper cannot give the name to ${args[0]}.`
    case 'IncorrectTokenType':
      return 'The wrapper was sent a token that is not a name.'
    case 'IncompatibleParent':
      return 'The name above this one does not allow it.'
    case 'CannotUpgrade':
      return 'The wrapper has nothing to upgrade to.'
    case 'LabelMismatch':
      return 'The label does not fit the name.'
    case 'LabelTooShort':
      return 'The label is empty.'
    case 'LabelTooLong':
      return 'The label is longer than the 255 bytes a wrapped name may have.'
    case 'InvalidEVMAddress':
      return 'The resolver refused the address: it is not 20 bytes long.'
    case 'ResolverNotFound':
      return 'The name has no resolver.'
    case 'ResolverNotContract':
      return `The name's resolver ${args[1]} is not a contract.`
    case 'ResolverError':
      return `The name's resolver refused. ${knownReason(args[0]) ?? ''}`.trimEnd()
    case 'UnsupportedResolverProfile':
      return "The name's resolver does not know this kind of record."
    case 'OffchainLookup':
      return 'The records lie outside the chain, at an address the owner chose; it is not asked.'
    case 'HttpError':
    case 'InvalidBatchGatewayResponse':
      return 'The records lie outside the chain, and were not to be had there.'
    case 'DNSDecodingFailed':
    case 'DNSEncodingFailed':
    case 'OffsetOutOfBoundsError':
      return 'The universal resolver could not read the name.'
    case 'EmptyAddress':
      return 'The address is empty.'
    case 'ReverseAddressMismatch':
      return 'The name does not point back at the address.'
  }
}

function panicSentence(code: bigint): string {
  if (code === 0x11n) return 'The contract refused: a number became too large; a shorter duration may do.'
  if (code === 0x12n) return 'The contract refused: it divided by zero.'
  return `The contract failed an assertion of its own (panic 0x${code.toString(16)}).`
}
