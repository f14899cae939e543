import { UpstreamError } from '../../../kernel/errors.ts'
import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { TransactionError } from '../../../protocols/ethereum/transactions.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import { accessKeyCall, parseAccessKeyExpiry, unknownAccessKey } from './keychain.ts'
import { nonceCall, parseNonce, refusedByNonce } from './nonce-lane.ts'
import {
  type ExpectedTransfer,
  logFilter,
  parseLogs,
  parsePushedTransfer,
  parseTransferOutcome,
  ReceiptError,
  type TransferOutcome,
} from './receipt.ts'
import { refusedByNode, refusedByToken, insufficientFunds } from './refusals.ts'
import { isCounted, type SigningKey, type Transfer } from './transaction.ts'

/** Transfers on the Tempo chain. All methods throw PaymentRefused and UpstreamError. */
export type TempoChain = {
  /**
   * Checks in one request that the transfer would succeed now (seconds since the epoch), or has succeeded: the payer may
   * have sent it. Whether it was sold before is not known here. Returns the payer's balance; undefined if the transfer has
   * succeeded, or swaps another token first.
   */
  simulate(
    transfer: Transfer,
    payer: Hex,
    key: SigningKey & { readonly now: number },
    signal: AbortSignal,
  ): Promise<bigint | undefined>
  /** Sends it and waits until it is in a block. UpstreamError if the outcome stays unknown. */
  send(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<void>
  lookUp(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<TransferStatus>
  /**
   * Hash of the transaction that made the transfer, found by its memo in the latest blocks; undefined if not found. A
   * payer can sign one transaction twice, and only one of the two hashes is mined.
   */
  findTransfer(transfer: Transfer, payer: Hex, latestBlock: number, signal: AbortSignal): Promise<Hex | undefined>
  /** Time of the block (seconds since the epoch) that has the transfer. Throws UpstreamError if the hash is unknown. */
  confirm(hash: Hex, expected: ExpectedTransfer, payer: Hex, signal: AbortSignal): Promise<number>
}

export type TransferStatus = {
  readonly fate: TransferOutcome
  /** Number and time (seconds since the epoch) of the latest block. */
  readonly latestBlock: number
  readonly chainTime: number
  /** Another transaction may have used the nonce. False for transactions whose nonce is not counted. */
  readonly isNonceUsed: boolean
}

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

/** Of `balanceOf(address)`. */
const BALANCE_OF: Hex = '0x70a08231'
const MAX_BLOCK = 2n ** 48n
const MAX_TIMESTAMP_SECONDS = 253_402_300_799n
/** Under the range that public nodes allow for logs; forty minutes of blocks. */
const MAX_LOG_BLOCKS = 5_000
const POLL_INTERVAL_MS = 250
/** A block takes half a second, so a transaction that is not mined by then has a problem. */
const MAX_POLLS = 40
const METHOD_NOT_FOUND = -32_601

export function createTempoChain(rpc: Pick<EthereumRpc, 'ask'>, wait: Wait): TempoChain {
  /** False once a node has rejected the method that waits for the block. */
  let supportsSyncSend = true

  const fateOf = (outcome: RpcOutcome | undefined, transfer: Transfer, payer: Hex): TransferOutcome =>
    orInvalid(() => parseTransferOutcome(resultOf(outcome), transfer, payer))

  async function poll(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<void> {
    for (let look = 0; look < MAX_POLLS; look++) {
      const read = ([outcome]: RpcOutcome[]) => fateOf(outcome, transfer, payer)
      const fate = await rpc.ask([receiptCall(transfer)], { signal, read })
      if (fate) return assertPaid(fate)
      await wait(POLL_INTERVAL_MS, signal)
    }
    throw new UpstreamError('timeout', 'the payment was sent, but is in no block yet')
  }

  /** Uses the receipt in the response to the send; polls if it is unusable. */
  async function settled(outcome: RpcOutcome, transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<void> {
    let fate: TransferOutcome
    try {
      fate = fateOf(outcome, transfer, payer)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
    }
    return fate ? assertPaid(fate) : poll(transfer, payer, signal)
  }

  function look(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<TransferStatus> {
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const calls = [receiptCall(transfer), latest, ...(isCounted(transfer) ? [nonceCall(transfer, payer)] : [])]
    return rpc.ask(calls, {
      signal,
      read([receipt, block, count]) {
        const next = isCounted(transfer) ? parseNonce(count) : 0n
        if (next === null) throw failed('it does not tell the nonce of the payer')
        return { fate: fateOf(receipt, transfer, payer), ...parseBlock(block), isNonceUsed: next > transfer.nonce }
      },
    })
  }

  /** Sends with the first method the node supports. */
  async function broadcast({ raw }: Transfer, signal: AbortSignal): Promise<{ outcome: RpcOutcome; isSync: boolean }> {
    for (const isSync of supportsSyncSend ? [true, false] : [false]) {
      const method = isSync ? 'eth_sendRawTransactionSync' : 'eth_sendRawTransaction'
      const [outcome] = await rpc.ask([{ method, params: [raw] }], { signal })
      if (!outcome) throw failed('it did not answer')
      if (!isSync || outcome.ok || outcome.code !== METHOD_NOT_FOUND) return { outcome, isSync }
      supportsSyncSend = false
    }
    throw failed('it accepts no transactions')
  }

  return {
    async simulate(transfer, payer, { accessKey, isNew, now }, signal) {
      const balance = `${BALANCE_OF}${payer.slice(2).padStart(64, '0')}`
      const trial = { from: payer, ...transfer.callRequest, ...(await accessKeyFields(transfer, accessKey)) }
      const isKnownKeyNeeded = accessKey !== undefined && !isNew
      const calls: RpcCall[] = [
        receiptCall(transfer),
        { method: 'eth_call', params: [{ to: transfer.token, data: balance }, 'latest'] },
        { method: 'eth_call', params: [trial, 'latest'] },
        ...(isCounted(transfer) ? [nonceCall(transfer, payer)] : []),
        ...(isKnownKeyNeeded ? [accessKeyCall(payer, accessKey)] : []),
      ]
      const found = await rpc.ask(calls, {
        signal,
        read(outcomes) {
          const [receipt, balanceResult, simulation] = outcomes
          const fate = fateOf(receipt, transfer, payer)
          if (fate) return refusedByFate(fate) ?? undefined
          if (isCounted(transfer)) {
            const next = parseNonce(outcomes[3])
            if (next === null) throw failed('it does not tell the nonce of the payer')
            const refused = refusedByNonce(transfer, next)
            if (refused) return refused
          }
          if (isKnownKeyNeeded) {
            const expiry = parseAccessKeyExpiry(outcomes.at(-1))
            if (expiry === null) throw failed('it does not tell whether an access key is authorized')
            if (expiry <= BigInt(Math.floor(now))) return unknownAccessKey()
          }
          const refused = parseSimulation(simulation)
          // Before a swap the payer does not have the token yet.
          if (transfer.hasSwap) return refused
          const units = parseQuantity(resultOf(balanceResult), 2n ** 256n) ?? null
          if (units === null) throw failed('the token did not return a balance')
          return units < transfer.amount ? insufficientFunds() : (refused ?? units)
        },
      })
      if (found instanceof PaymentRefused) throw found
      return found
    },
    async send(transfer, payer, signal) {
      const { outcome, isSync } = await broadcast(transfer, signal)
      if (outcome.ok) return isSync ? settled(outcome, transfer, payer, signal) : poll(transfer, payer, signal)
      const refusal = refusedByNode(outcome.message)
      if (!refusal) return poll(transfer, payer, signal)
      // It may be in a block already, from an earlier attempt whose response was lost.
      const { fate, chainTime } = await look(transfer, payer, signal)
      if (fate) return assertPaid(fate)
      if (refusal.problem === 'payment-expired' && chainTime < transfer.validBefore) {
        throw failed('it reports a payment as expired that is not', refusal)
      }
      throw refusal
    },
    lookUp: look,
    findTransfer(transfer, payer, latestBlock, signal) {
      const fromBlock = `0x${Math.max(0, latestBlock - MAX_LOG_BLOCKS).toString(16)}`
      const filter = { ...logFilter(transfer, payer), fromBlock, toBlock: 'latest' }
      const read = ([logs]: RpcOutcome[]) => orInvalid(() => parseLogs(resultOf(logs), transfer, payer))
      return rpc.ask([{ method: 'eth_getLogs', params: [filter] }], { signal, read })
    },
    async confirm(hash, expected, payer, signal) {
      const read = ([outcome]: RpcOutcome[]) =>
        orInvalid(() => parsePushedTransfer(resultOf(outcome), hash, expected, payer))
      const pushed = await rpc.ask([receiptCall({ hash })], { signal, read })
      // The node may lag behind the one that the client has used, so this is never a refusal.
      if (!pushed) throw new UpstreamError('unavailable', 'the transaction of a payment is in no block yet')
      if (!pushed.succeeded) assertPaid('failed')
      if (!pushed.shows) {
        throw new PaymentRefused('verification-failed', 'The transaction does not make the payment of this challenge.')
      }
      const block = { method: 'eth_getBlockByNumber', params: [`0x${pushed.blockNumber.toString(16)}`, false] }
      return rpc.ask([block], { signal, read: ([outcome]) => parseBlock(outcome).chainTime })
    },
  }
}

const receiptCall = ({ hash }: Pick<Transfer, 'hash'>): RpcCall => ({
  method: 'eth_getTransactionReceipt',
  params: [hash],
})

/** The fields that make the node apply the rules of the access key: its limits, its scopes, its end. */
async function accessKeyFields({ keyAuthorization }: Transfer, accessKey: Hex | undefined): Promise<object> {
  const keyId = accessKey === undefined ? {} : { keyId: accessKey }
  if (!keyAuthorization) return keyId
  // Imported on demand: few payments authorize a key.
  const KeyAuthorization = await import('ox/tempo/KeyAuthorization')
  try {
    const authorization = KeyAuthorization.deserialize(keyAuthorization.rlp)
    return {
      ...keyId,
      keyAuthorization: KeyAuthorization.toRpc(authorization as Parameters<typeof KeyAuthorization.toRpc>[0]),
    }
  } catch (error) {
    const sentence = 'The authorization of the access key is not well formed.'
    throw new PaymentRefused('malformed-credential', sentence, { cause: error })
  }
}

function parseBlock(outcome: RpcOutcome | undefined): { latestBlock: number; chainTime: number } {
  const { number, timestamp } = (resultOf(outcome) ?? {}) as { readonly number?: unknown; readonly timestamp?: unknown }
  const latestBlock = parseQuantity(number, MAX_BLOCK)
  const chainTime = parseQuantity(timestamp, MAX_TIMESTAMP_SECONDS)
  if (latestBlock === null || chainTime === null) throw failed('the block has no number or no time')
  return { latestBlock: Number(latestBlock), chainTime: Number(chainTime) }
}

function orInvalid<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const isInvalid = error instanceof TransactionError || error instanceof ReceiptError
    throw isInvalid ? failed('its receipt is invalid', error) : error
  }
}

function parseSimulation(simulation: RpcOutcome | undefined): PaymentRefused | undefined {
  const execution = parseExecution(simulation)
  const refusal = simulation?.ok === false ? refusedByNode(simulation.message) : undefined
  switch (execution.kind) {
    case 'returned':
      return undefined
    case 'reverted':
      return execution.data === '0x' && refusal ? refusal : refusedByToken(execution.data)
    case 'unfunded':
      return insufficientFunds()
    case 'refused':
    case 'failed':
      if (refusal) return refusal
      throw failed('it could not simulate a payment')
  }
}

function assertPaid(fate: 'paid' | 'failed'): void {
  const refusal = refusedByFate(fate)
  if (refusal) throw refusal
}

const refusedByFate = (fate: 'paid' | 'failed'): PaymentRefused | undefined =>
  fate === 'paid'
    ? undefined
    : new PaymentRefused('verification-failed', 'The transaction failed on the chain; nothing was paid.')

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  throw failed(outcome ? `it answered ${outcome.code}` : 'it did not answer')
}

const failed = (why: string, cause?: unknown) =>
  new UpstreamError('unavailable', `a Tempo node failed: ${why}`, { cause })
