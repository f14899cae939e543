import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { UpstreamResponse, Upstream } from '../../kernel/upstream/client.ts'
import { createRedactor, redactFailure, parseNodeUrl } from './secret-redaction.ts'
import { parseQuantity } from './hex.ts'
import {
  MalformedAnswerError,
  parseAnswer,
  parseBatch,
  type RpcCall,
  type RpcOutcome,
  encodeBatch,
  encodeCall,
} from './json-rpc.ts'

/** One node at one URL. The URL may contain a key, so logs and errors only use the node's number. */
export type Node = {
  readonly name: string
  /** Sends all calls in one request if the node supports batches. Throws UpstreamError, also when aborted. */
  ask(calls: readonly RpcCall[], options: RequestOptions): Promise<RpcOutcome[]>
  /** Verifies the chain id again with the next request. */
  doubt(): void
  /** The chain it serves, if it is the wrong one; the node is then no longer used. */
  readonly foreignChain: bigint | undefined
}

export type RequestOptions = { readonly timeoutMs: number; readonly signal: AbortSignal | undefined }

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  readonly url: string
  readonly name: string
  readonly chainId: number
  readonly maxBytes: number
  readonly clock: Clock
  readonly log: Log
}

const CHAIN_ID: RpcCall = { method: 'eth_chainId', params: [] }

/** Statuses whose body may be a JSON-RPC error. */
const ANSWERS = [200, 400, 404, 405, 413, 415, 422]

/** Errors about the node, not the call: rate limits of EIP-1474 and two large providers, and geth's timeout. */
const BUSY_CODES = new Map([
  [-32_005, 'rate_limited'],
  [-32_007, 'rate_limited'],
  [429, 'rate_limited'],
  [-32_002, 'unavailable'],
] as const)

export function createNode({ upstream, url: text, name, chainId, maxBytes, clock, log }: Needs): Node {
  const { url, headers } = parseNodeUrl(text, name)
  const hide = createRedactor(text)
  let isVerified = false
  let supportsBatches = true
  let foreignChain: bigint | undefined

  const post = (body: string, { timeoutMs, signal }: RequestOptions): Promise<UpstreamResponse> =>
    upstream.request({ url, method: 'POST', headers, body, accept: ANSWERS, maxBytes, signal, timeoutMs })

  const one = async (call: RpcCall, options: RequestOptions): Promise<RpcOutcome> => {
    const reply = await post(encodeCall(call), options)
    const outcome = read(reply, parseAnswer)
    if (outcome === undefined) throw new UpstreamError('unavailable', `it answered ${reply.status}`)
    return outcome
  }

  const sendSingly = (calls: readonly RpcCall[], options: RequestOptions): Promise<RpcOutcome[]> =>
    Promise.all(calls.map((call) => one(call, options)))

  const sendBatch = async (calls: readonly RpcCall[], options: RequestOptions): Promise<RpcOutcome[]> => {
    const began = clock.monotonic()
    const reply = await post(encodeBatch(calls), options)
    const answers = read(reply, (body) => parseBatch(body, calls.length))
    if (Array.isArray(answers)) return answers
    if (answers) assertNotBusy(answers)
    const leftMs = Math.max(options.timeoutMs - (clock.monotonic() - began), 1)
    const outcomes = await sendSingly(calls, { ...options, timeoutMs: leftMs })
    // Only after success: if single calls fail too, batches are not the cause.
    supportsBatches = false
    log.info({ node: name }, 'an Ethereum node does not support batches; calls are sent one by one')
    return outcomes
  }

  const assertOurChain = (outcome: RpcOutcome | undefined): void => {
    const served = outcome?.ok ? parseQuantity(outcome.result, 2n ** 256n) : null
    if (served === null) throw new MalformedAnswerError('it does not say which chain it serves')
    if (served !== BigInt(chainId)) {
      foreignChain = served
      log.error({ node: name, chainId: String(served) }, 'an Ethereum node serves another chain and is no longer used')
      throw new UpstreamError('not_configured', `it serves chain ${served}`)
    }
    isVerified = true
    // A node that was moved to the right chain is used again.
    foreignChain = undefined
  }

  return {
    name,
    async ask(calls, options) {
      const sent = isVerified ? calls : [...calls, CHAIN_ID]
      const isBatch = sent.length > 1 && supportsBatches
      try {
        const outcomes = await (isBatch ? sendBatch(sent, options) : sendSingly(sent, options))
        outcomes.forEach(assertNotBusy)
        if (sent !== calls) assertOurChain(outcomes.pop())
        return outcomes.map((outcome) => (outcome.ok ? outcome : { ...outcome, message: hide(outcome.message) }))
      } catch (error) {
        throw redactFailure(asUpstreamError(error), name, hide)
      }
    },
    doubt() {
      isVerified = false
    },
    get foreignChain() {
      return foreignChain
    },
  }
}

/** Undefined if the status is an error and the body cannot be parsed. */
function read<T>(reply: UpstreamResponse, reader: (body: unknown) => T): T | undefined {
  try {
    return reader(reply.json())
  } catch (error) {
    if (reply.status === 200) throw error
    return undefined
  }
}

function assertNotBusy(outcome: RpcOutcome): void {
  const failure = outcome.ok ? undefined : BUSY_CODES.get(outcome.code as never)
  if (!outcome.ok && failure) throw new UpstreamError(failure, `it answered ${outcome.code}: ${outcome.message}`)
}

const asUpstreamError = (error: unknown): UpstreamError =>
  error instanceof UpstreamError
    ? error
    : new UpstreamError('unavailable', 'its answer could not be used', { cause: error })
