import { toFunctionSelector } from 'viem/utils'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { TransactionError } from '../../../protocols/ethereum/transactions.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
import { type TransferOutcome, parseTransferOutcome, ReceiptError } from './receipt.ts'
import { refusedByNode, refusedByToken, insufficientFunds } from './refusals.ts'
import type { Transfer } from './transaction.ts'

/** Transfers on the Tempo chain. Each method but `send` is one request. All throw PaymentRefused and UpstreamError. */
export type TempoChain = {
  /** Checks that the transfer would succeed now; returns the payer's balance. Refuses one that is on the chain already. */
  simulate(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<bigint>
  /** Sends it and waits until it is in a block. UpstreamError if the outcome stays unknown. */
  send(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<void>
  /** Its outcome, and the time of the latest block in seconds since the epoch. */
  lookUp(transfer: Transfer, payer: Hex, signal: AbortSignal): Promise<{ fate: TransferOutcome; chainTime: number }>
}

export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

const BALANCE_OF = toFunctionSelector('balanceOf(address)')
const MAX_TIMESTAMP_SECONDS = 253_402_300_799n
const POLL_INTERVAL_MS = 250
/** A block takes half a second, so a transaction that is not mined by then has a problem. */
const MAX_POLLS = 40
const METHOD_NOT_FOUND = -32_601

export function createTempoChain(rpc: Pick<EthereumRpc, 'ask'>, wait: Wait): TempoChain {
  /** False once a node has rejected the method that waits for the block. */
  let supportsSyncSend = true

  const fateOf = (outcome: RpcOutcome | undefined, transfer: Transfer, payer: Hex): TransferOutcome => {
    try {
      return parseTransferOutcome(resultOf(outcome), transfer, payer)
    } catch (error) {
      const isInvalid = error instanceof TransactionError || error instanceof ReceiptError
      throw isInvalid ? failed('its receipt is invalid', error) : error
    }
  }

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

  function look(
    transfer: Transfer,
    payer: Hex,
    signal: AbortSignal,
  ): Promise<{ fate: TransferOutcome; chainTime: number }> {
    const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    return rpc.ask([receiptCall(transfer), latest], {
      signal,
      read([receipt, block]) {
        const { timestamp } = (resultOf(block) ?? {}) as { readonly timestamp?: unknown }
        const chainTime = parseQuantity(timestamp, MAX_TIMESTAMP_SECONDS)
        if (chainTime === null) throw failed('the block has no time')
        return { fate: fateOf(receipt, transfer, payer), chainTime: Number(chainTime) }
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
    async simulate(transfer, payer, signal) {
      const balance = `${BALANCE_OF}${payer.slice(2).padStart(64, '0')}`
      const calls: RpcCall[] = [
        receiptCall(transfer),
        { method: 'eth_call', params: [{ to: transfer.token, data: balance }, 'latest'] },
        { method: 'eth_call', params: [{ from: payer, ...transfer.callRequest }, 'latest'] },
      ]
      const found = await rpc.ask(calls, {
        signal,
        read([receipt, balanceResult, simulation]) {
          const fate = fateOf(receipt, transfer, payer)
          if (fate) return new PaymentRefused('invalid-challenge', 'This payment was sent before; sign a new one.')
          const units = parseQuantity(resultOf(balanceResult), 2n ** 256n) ?? null
          if (units === null) throw failed('the token did not return a balance')
          if (units < transfer.amount) return insufficientFunds()
          return parseSimulation(simulation) ?? units
        },
      })
      if (typeof found !== 'bigint') throw found
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
  }
}

const receiptCall = ({ hash }: Transfer): RpcCall => ({ method: 'eth_getTransactionReceipt', params: [hash] })

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
  if (fate === 'paid') return
  throw new PaymentRefused('verification-failed', 'The transaction failed on the chain; nothing was paid.')
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  throw failed(outcome ? `it answered ${outcome.code}` : 'it did not answer')
}

const failed = (why: string, cause?: unknown) =>
  new UpstreamError('unavailable', `a Tempo node failed: ${why}`, { cause })
