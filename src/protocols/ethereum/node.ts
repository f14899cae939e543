import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { UpstreamResponse, Upstream } from '../../kernel/upstream/client.ts'
import { discreetAbout, discreetFailure, readAddress } from './discretion.ts'
import { readQuantity } from './hex.ts'
import {
  MalformedAnswerError,
  readAnswer,
  readBatch,
  type RpcCall,
  type RpcOutcome,
  writeBatch,
  writeCall,
} from './messages.ts'

/** One node behind one URL. The URL may carry a key anywhere, so the node is only ever called by its number. */
export type Node = {
  readonly name: string
  /** One request for all calls where the node takes batches. Throws UpstreamError, also when aborted. */
  ask(calls: readonly RpcCall[], turn: Turn): Promise<RpcOutcome[]>
  /** It may not be what it was: with the next question it is asked for its chain again. */
  doubt(): void
  /** The chain it serves where that is not ours; it is not to be asked again. */
  readonly foreignChain: bigint | undefined
}

export type Turn = { readonly deadlineMs: number; readonly signal: AbortSignal | undefined }

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

/** Some nodes send their JSON-RPC errors with these; whether they mean us or the batch is told by the body. */
const ANSWERS = [200, 400, 404, 405, 413, 415, 422]

/** Errors about the node and not about the question: the limits of EIP-1474 and of two large providers, and geth's timeout. */
const BUSY = new Map([
  [-32_005, 'rate_limited'],
  [-32_007, 'rate_limited'],
  [429, 'rate_limited'],
  [-32_002, 'unavailable'],
] as const)

export function createNode({ upstream, url: text, name, chainId, maxBytes, clock, log }: Needs): Node {
  const { url, headers } = readAddress(text, name)
  const hide = discreetAbout(text)
  let isVerified = false
  let takesBatches = true
  let foreignChain: bigint | undefined

  const post = (body: string, { deadlineMs, signal }: Turn): Promise<UpstreamResponse> =>
    upstream.request({ url, method: 'POST', headers, body, accept: ANSWERS, maxBytes, signal, deadlineMs })

  const one = async (call: RpcCall, turn: Turn): Promise<RpcOutcome> => {
    const reply = await post(writeCall(call), turn)
    const outcome = read(reply, readAnswer)
    if (outcome === undefined) throw new UpstreamError('unavailable', `it answered ${reply.status}`)
    return outcome
  }

  const oneByOne = (calls: readonly RpcCall[], turn: Turn): Promise<RpcOutcome[]> =>
    Promise.all(calls.map((call) => one(call, turn)))

  const together = async (calls: readonly RpcCall[], turn: Turn): Promise<RpcOutcome[]> => {
    const began = clock.monotonic()
    const reply = await post(writeBatch(calls), turn)
    const answers = read(reply, (body) => readBatch(body, calls.length))
    if (Array.isArray(answers)) return answers
    if (answers) mustNotBeBusy(answers)
    const leftMs = Math.max(turn.deadlineMs - (clock.monotonic() - began), 1)
    const outcomes = await oneByOne(calls, { ...turn, deadlineMs: leftMs })
    // Only now: what fails either way says nothing about batches.
    takesBatches = false
    log.info({ node: name }, 'an Ethereum node takes no batches and is asked one by one')
    return outcomes
  }

  const mustServeOurChain = (outcome: RpcOutcome | undefined): void => {
    const served = outcome?.ok ? readQuantity(outcome.result, 2n ** 256n) : null
    if (served === null) throw new MalformedAnswerError('it does not say which chain it serves')
    if (served !== BigInt(chainId)) {
      foreignChain = served
      log.error({ node: name, chainId: String(served) }, 'an Ethereum node serves another chain and is not asked again')
      throw new UpstreamError('not_configured', `it serves chain ${served}`)
    }
    isVerified = true
  }

  return {
    name,
    async ask(calls, turn) {
      const questions = isVerified ? calls : [...calls, CHAIN_ID]
      const isBatch = questions.length > 1 && takesBatches
      try {
        const outcomes = await (isBatch ? together(questions, turn) : oneByOne(questions, turn))
        outcomes.forEach(mustNotBeBusy)
        if (questions !== calls) mustServeOurChain(outcomes.pop())
        return outcomes.map((outcome) => (outcome.ok ? outcome : { ...outcome, message: hide(outcome.message) }))
      } catch (error) {
        throw discreetFailure(asUpstreamError(error), name, hide)
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

/** Undefined where the node said no and its body says nothing more. */
function read<T>(reply: UpstreamResponse, reader: (body: unknown) => T): T | undefined {
  try {
    return reader(reply.json())
  } catch (error) {
    if (reply.status === 200) throw error
    return undefined
  }
}

function mustNotBeBusy(outcome: RpcOutcome): void {
  const failure = outcome.ok ? undefined : BUSY.get(outcome.code as never)
  if (!outcome.ok && failure) throw new UpstreamError(failure, `it answered ${outcome.code}: ${outcome.message}`)
}

const asUpstreamError = (error: unknown): UpstreamError =>
  error instanceof UpstreamError
    ? error
    : new UpstreamError('unavailable', 'its answer could not be used', { cause: error })
