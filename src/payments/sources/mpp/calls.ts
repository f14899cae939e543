import { type Hex, PaymentRefused } from '../../scheme.ts'
import { isAddress, isList, type Rlp } from './rlp.ts'

export type TempoCall = { readonly to: Hex; readonly data: Hex }

/** One transfer with a memo, possibly after a swap that gets its token. */
export type TransferCalls = {
  readonly token: Hex
  readonly recipient: Hex
  readonly amount: bigint
  readonly memo: Hex
  /** The payer holds another token and swaps it first. */
  readonly hasSwap: boolean
  readonly calls: readonly TempoCall[]
}

/** Of `transferWithMemo(address,uint256,bytes32)`. */
const TRANSFER_WITH_MEMO: Hex = '0x95777d59'
/** Of `transfer(address,uint256)`. */
const TRANSFER: Hex = '0xa9059cbb'
/** Of `approve(address,uint256)`. */
const APPROVE: Hex = '0x095ea7b3'
/** Of `swapExactAmountOut(address,address,uint128,uint128)`. */
const SWAP: Hex = '0xf0122b75'
const EXCHANGE: Hex = '0xdec0000000000000000000000000000000000000'

/** Throws PaymentRefused unless the calls are a transfer, or approval, swap and transfer as mppx makes them. */
export function parseCalls(value: Rlp | undefined): TransferCalls {
  const calls = isList(value) ? value.map(parseCall) : []
  const [last] = calls.slice(-1)
  if (!last) throw notPlainPayment('it calls no token')
  const transfer = parseTransferCall(last)
  const hasSwap = calls.length > 1
  if (hasSwap && !isSwapFor(calls.slice(0, -1), transfer)) throw notPlainPayment('it does more than one thing')
  return { ...transfer, hasSwap, calls }
}

function parseCall(value: Rlp): TempoCall {
  const [to, amount, data, ...rest] = isList(value) ? value : []
  if (!isAddress(to) || typeof data !== 'string' || rest.length > 0) throw notPlainPayment('it calls no token')
  if (amount !== '0x') throw notPlainPayment('it is not a transfer with a memo (transferWithMemo)')
  return { to, data }
}

function parseTransferCall({ to: token, data }: TempoCall) {
  const words = parseWords(data, TRANSFER_WITH_MEMO, 3)
  if (!words || !isAddressWord(words[0])) {
    // Without a memo the transfer names no challenge: other instances would take it for theirs.
    const why = data.startsWith(TRANSFER) ? 'its transfer has no memo; use transferWithMemo' : undefined
    throw notPlainPayment(why ?? 'it is not a transfer with a memo (transferWithMemo)')
  }
  const [recipient, amount, memo] = words as [string, string, string]
  return { token, recipient: addressOf(recipient), amount: BigInt(`0x${amount}`), memo: `0x${memo}` as const }
}

/** Whether the calls buy exactly the amount of the transfer, in its token, at the chain's own exchange. */
function isSwapFor(calls: readonly TempoCall[], { token, amount }: { token: Hex; amount: bigint }): boolean {
  const [approval, swap, ...others] = calls
  if (!approval || !swap || others.length > 0 || swap.to !== EXCHANGE) return false
  const approved = parseWords(approval.data, APPROVE, 2)
  const swapped = parseWords(swap.data, SWAP, 4)
  if (!approved || !swapped || ![approved[0], swapped[0], swapped[1]].every(isAddressWord)) return false
  const [tokenIn, tokenOut, amountOut] = swapped as [string, string, string]
  return (
    addressOf(approved[0]!) === EXCHANGE &&
    addressOf(tokenIn) === approval.to &&
    addressOf(tokenIn) !== token &&
    addressOf(tokenOut) === token &&
    BigInt(`0x${amountOut}`) === amount
  )
}

/** The arguments of a call, 64 digits each; null unless it calls this function with exactly this number of arguments. */
function parseWords(data: Hex, selector: Hex, count: number): readonly string[] | null {
  if (!data.startsWith(selector) || data.length !== selector.length + 64 * count) return null
  return Array.from({ length: count }, (_, at) =>
    data.slice(selector.length + 64 * at, selector.length + 64 * (at + 1)),
  )
}

const isAddressWord = (word: string | undefined): boolean => word !== undefined && /^0{24}/.test(word)
const addressOf = (word: string): Hex => `0x${word.slice(24)}`

export const notPlainPayment = (why: string) =>
  new PaymentRefused('verification-failed', `The transaction is not a plain payment: ${why}.`)
