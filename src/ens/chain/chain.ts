/** Bytes as `0x` and hexadecimal digits. */
export type Hex = `0x${string}`

/** A question to a contract that changes nothing. */
export type Call = { readonly to: Hex; readonly data: Hex }

/** What the contract returned, or the bytes it refused with. */
export type Returned = { readonly ok: boolean; readonly data: Hex }

/** A transaction nobody has signed. Without `from` it is tried as sent by nobody in particular. */
export type Draft = Call & { readonly value: bigint; readonly from?: Hex }

/** How a draft would go if it were sent now. */
export type Trial = {
  readonly outcome: Returned
  /** Null where the node could not say. */
  readonly gas: bigint | null
  readonly gasPrice: bigint | null
}

export type TransactionState =
  /** No node has heard of it. */
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
 * Ethereum mainnet as the rules of ENS need it. Every method is one round trip, throws UpstreamError where no node
 * answers, and the signal's reason when aborted.
 */
export type Chain = {
  /** All calls answered from the same block. A call that is refused does not spoil the others. */
  read(calls: readonly Call[], signal?: AbortSignal): Promise<Reading>
  /** What goes into a transaction: read from two nodes, which must say the same of the same block. */
  readAgreed(calls: readonly Call[], signal?: AbortSignal): Promise<AgreedReading>
  readWithGasPrice(calls: readonly Call[], signal?: AbortSignal): Promise<Reading & { readonly gasPrice: bigint }>
  /** Tries a transaction and asks what it would cost; sends nothing. */
  tryOut(draft: Draft, signal?: AbortSignal): Promise<Trial>
  transaction(hash: Hex, signal?: AbortSignal): Promise<TransactionState>
}

export type Reading = { readonly returned: readonly Returned[]; readonly block: Block }

export type AgreedReading =
  | ({ readonly kind: 'agreed' } & Reading)
  /** The nodes contradict each other. */
  | { readonly kind: 'disagreement' }
  /** Several nodes are configured and only one answers. */
  | { readonly kind: 'alone' }

/** `timestamp`: seconds since the epoch, by the chain's own clock. */
export type Block = { readonly number: number; readonly timestamp: number }
