import { decodeErrorResult, parseAbi } from '../../../kernel/ethereum/abi.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'

const ABI = parseAbi([
  'error InsufficientBalance(uint256 available, uint256 required, address token)',
  'error ContractPaused()',
  'error PolicyForbids()',
  'error InvalidRecipient()',
  'error Error(string reason)',
])

const INSUFFICIENT_FUNDS = 'The payer has too little money for the payment and its fees.'

/** The refusal for revert data of the token. */
export function refusedByToken(data: Hex): PaymentRefused {
  switch (errorName(data)) {
    case 'InsufficientBalance':
      return new PaymentRefused('payment-insufficient', INSUFFICIENT_FUNDS)
    case 'ContractPaused':
      return new PaymentRefused('verification-failed', 'The token is paused; nobody can pay with it now.')
    case 'PolicyForbids':
      return new PaymentRefused('verification-failed', 'The token forbids transfers from this payer.')
    default:
      return new PaymentRefused('verification-failed', 'The payment would fail on the chain.')
  }
}

export const insufficientFunds = () => new PaymentRefused('payment-insufficient', INSUFFICIENT_FUNDS)

function errorName(data: Hex): string | undefined {
  try {
    return decodeErrorResult({ abi: ABI, data }).errorName
  } catch {
    return undefined
  }
}

/** Messages of nodes that know the transaction already. */
const ALREADY_KNOWN = /already (?:known|seen|imported|exists|in)|replay|nonce too low/i

/**
 * Nodes share no error codes for refusals, so their messages are matched. An unknown message is not a refusal: the chain
 * is polled for the outcome until the transaction has expired.
 */
const REFUSALS_BY_MESSAGE: readonly (readonly [RegExp, () => PaymentRefused])[] = [
  [/insufficient|exceeds balance|not enough|lack of funds/i, insufficientFunds],
  [
    /exceeds max allowed|too far/i,
    () =>
      new PaymentRefused('verification-failed', 'The transaction is valid for too long; check the clock of the payer.'),
  ],
  [/expired|valid_?before/i, () => new PaymentRefused('payment-expired', 'The payment has expired; sign a new one.')],
  [
    /valid_?after|not valid yet/i,
    () => new PaymentRefused('verification-failed', 'The transaction is not valid yet; check the clock of the payer.'),
  ],
  [
    /keychain|access ?key|spending ?limit|key ?authorization/i,
    () => new PaymentRefused('verification-failed', 'The access key may not make this payment.'),
  ],
  [
    /chain ?id|invalid (?:signature|sender|transaction)|type not supported|decode|rlp/i,
    () => new PaymentRefused('verification-failed', 'The chain does not take the transaction.'),
  ],
  [
    /underpriced|base fee|fee cap|fee ?token|intrinsic gas|gas limit|gas too low/i,
    () => new PaymentRefused('verification-failed', 'The fees of the transaction are too low, or in the wrong token.'),
  ],
]

/** The refusal for a node's error message; undefined if it may be a failure of the node. */
export const refusedByNode = (message: string): PaymentRefused | undefined =>
  ALREADY_KNOWN.test(message) ? undefined : REFUSALS_BY_MESSAGE.find(([words]) => words.test(message))?.[1]()
