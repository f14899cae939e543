/** Explains revert data in a sentence. Any bytes give a sentence, and it claims nothing the bytes do not say. */
import { decodeErrorResult, parseAbi } from '../../kernel/ethereum/abi.ts'
import { controller2023Abi, controller2025Abi, resolverAbi, universalResolverAbi, wrapperAbi } from '../chain/abi.ts'
import type { Hex } from '../../kernel/hex.ts'
import { decodeText } from '../chain/abi-words.ts'

/** Many ENS contracts revert without data; the kind of transaction then tells the likely cause. */
export type TransactionKind = 'commit' | 'register' | 'renew' | 'update'

const ERRORS = [
  ...parseAbi(['error Error(string message)', 'error Panic(uint256 code)']),
  ...controller2025Abi,
  ...controller2023Abi,
  ...wrapperAbi,
  ...resolverAbi,
  ...universalResolverAbi,
].filter((item) => item.type === 'error')

/** Revert data of ENS contracts is shorter; longer data is not decoded. */
const MAX_REVERT_DIGITS = 2 * 4096

const WITHOUT_REASON: Readonly<Record<TransactionKind, string>> = {
  commit: 'The controller reverted without a reason.',
  register:
    'The contracts reverted without a reason; most likely the name has just been registered, or the wallet cannot receive the refund.',
  renew:
    'The registrar reverted without a reason; most likely the name is not registered, or its grace period has ended.',
  update:
    "The resolver reverted without a reason; most likely the sender is neither the name's owner nor approved by the owner.",
}

export function revertReason(data: Hex, kind?: TransactionKind): string {
  if (data === '0x') return kind === undefined ? 'The contract reverted without a reason.' : WITHOUT_REASON[kind]
  return decodeReason(data) ?? `The contract reverted with an unknown error (${data.slice(0, 10)}).`
}

function decodeReason(data: Hex): string | undefined {
  if (data.length < 10 || data.length > MAX_REVERT_DIGITS) return undefined
  try {
    return explainError(decodeErrorResult({ abi: ERRORS, data }))
  } catch {
    return undefined
  }
}

type DecodedError = ReturnType<typeof decodeErrorResult<typeof ERRORS>>

/** The seconds from one time to another, never negative. */
const secondsBetween = (from: bigint, to: bigint): string => {
  const seconds = to > from ? to - from : 0n
  return `${seconds} ${seconds === 1n ? 'second' : 'seconds'}`
}

/** A contract's own text, shortened and on one line. */
const quoted = (text: string): string => `"${decodeText(`0x${Buffer.from(text.slice(0, 200)).toString('hex')}`)}"`

function explainError(error: DecodedError): string {
  const { errorName, args } = error
  switch (errorName) {
    case 'Error':
      return `The contract reverted: ${quoted(args[0])}.`
    case 'Panic':
      return explainPanic(args[0])
    case 'CommitmentTooNew':
      return args.length === 3
        ? `The commitment is too young: wait ${secondsBetween(args[2], args[1])} more.`
        : 'The commitment is too young or was never made: register 60 seconds after it is mined.'
    case 'CommitmentTooOld':
      return args.length === 3
        ? `The commitment is too old: it expired ${secondsBetween(args[1], args[2])} ago. Start again with a new one.`
        : 'The commitment is too old, or was never made. Start again with a new one.'
    case 'CommitmentNotFound':
      return 'The commitment is not on the chain: send the commit transaction first and wait until it is mined.'
    case 'UnexpiredCommitmentExists':
      return 'The same commitment is on the chain already and still valid: register with it.'
    case 'NameNotAvailable':
      return `${quoted(args[0])} is not available: it is registered or in its grace period.`
    case 'DurationTooShort':
      return `A duration of ${args[0]} seconds is too short: the minimum is 28 days (2419200 seconds).`
    case 'InsufficientValue':
      return 'The value sent is less than the price; the price may have risen.'
    case 'ResolverRequiredWhenDataSupplied':
      return 'Records cannot be set without a resolver.'
    case 'ResolverRequiredForReverseRecord':
      return 'A reverse record cannot be set without a resolver.'
    case 'MaxCommitmentAgeTooHigh':
    case 'MaxCommitmentAgeTooLow':
      return 'The controller is configured with an invalid commitment age.'
    case 'Unauthorised':
      return `${args[1]} is neither the owner of the wrapped name nor approved by the owner.`
    case 'OperationProhibited':
      return 'A burned fuse of the wrapped name prohibits this.'
    case 'NameIsNotWrapped':
      return 'The name is not wrapped.'
    case 'IncorrectTargetOwner':
      return `The wrapper cannot transfer the name to ${args[0]}.`
    case 'IncorrectTokenType':
      return 'The wrapper received a token that is not a name.'
    case 'IncompatibleParent':
      return 'The parent name does not allow this.'
    case 'CannotUpgrade':
      return 'The wrapper has no upgrade contract.'
    case 'LabelMismatch':
      return 'The label does not match the name.'
    case 'LabelTooShort':
      return 'The label is empty.'
    case 'LabelTooLong':
      return 'The label is longer than the 255 bytes a wrapped name may have.'
    case 'InvalidEVMAddress':
      return 'The resolver rejected the address: it is not 20 bytes long.'
    case 'ResolverNotFound':
      return 'The name has no resolver.'
    case 'ResolverNotContract':
      return `The name's resolver ${args[1]} is not a contract.`
    case 'ResolverError':
      return `The name's resolver reverted. ${decodeReason(args[0]) ?? ''}`.trimEnd()
    case 'UnsupportedResolverProfile':
      return "The name's resolver does not support this kind of record."
    case 'OffchainLookup':
      return 'The records are stored off-chain at a gateway the owner chose, which this service does not call.'
    case 'HttpError':
    case 'InvalidBatchGatewayResponse':
      return 'The records are stored off-chain, and the gateway did not return them.'
    case 'DNSDecodingFailed':
    case 'DNSEncodingFailed':
    case 'OffsetOutOfBoundsError':
      return 'The universal resolver could not decode the name.'
    case 'EmptyAddress':
      return 'The address is empty.'
    case 'ReverseAddressMismatch':
      return 'The name does not resolve to the address.'
  }
}

function explainPanic(code: bigint): string {
  if (code === 0x11n) return 'The contract reverted: arithmetic overflow; try a shorter duration.'
  if (code === 0x12n) return 'The contract reverted: division by zero.'
  return `The contract failed an internal check (panic 0x${code.toString(16)}).`
}
