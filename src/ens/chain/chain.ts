import type { Hex } from '../../kernel/hex.ts'

/** A read-only call to a contract. */
export type Call = { readonly to: Hex; readonly data: Hex }

/** What the call returned, or the data it reverted with. */
export type CallResult = { readonly ok: boolean; readonly data: Hex }

/** An unsigned transaction. Without `from` it is simulated as sent by the zero address. */
export type TransactionDraft = Call & { readonly value: bigint; readonly from?: Hex }

/** What would happen if a draft were sent now. */
export type Simulation = {
  readonly outcome: CallResult
  /** Null if the node gave no estimate. */
  readonly gas: bigint | null
  readonly gasPrice: bigint | null
}

export type TransactionState =
  /** No node knows the transaction. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'mined'
      readonly succeeded: boolean
      readonly blockNumber: number
      readonly gasUsed: number
      readonly effectiveGasPrice: bigint
    }

/**
 * The port to Ethereum mainnet. Every method is one round trip. It throws UpstreamError if no node answers, and the
 * signal's reason when aborted.
 */
export type Chain = {
  /** Reads all calls from the same block. A call that reverts does not affect the others. */
  read(calls: readonly Call[], signal?: AbortSignal): Promise<ReadResult>
  /** Reads from two nodes, which must agree on the same block. For everything that goes into a transaction. */
  readAgreed(calls: readonly Call[], signal?: AbortSignal): Promise<AgreedRead>
  readWithGasPrice(calls: readonly Call[], signal?: AbortSignal): Promise<ReadResult & { readonly gasPrice: bigint }>
  /** Simulates a transaction and estimates its gas. Sends nothing. */
  simulate(draft: TransactionDraft, signal?: AbortSignal): Promise<Simulation>
  transaction(hash: Hex, signal?: AbortSignal): Promise<TransactionState>
}

export type ReadResult = { readonly returned: readonly CallResult[]; readonly block: Block }

export type AgreedRead =
  | ({ readonly kind: 'agreed' } & ReadResult)
  /** The nodes contradict each other. */
  | { readonly kind: 'disagreement' }
  /** Several nodes are configured and only one answers. */
  | { readonly kind: 'alone' }

/** `timestamp`: seconds since the epoch, by the chain's clock. */
export type Block = { readonly number: number; readonly timestamp: number }
