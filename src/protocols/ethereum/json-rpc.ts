import { type Hex, isHex } from './hex.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** A result or a JSON-RPC error. `data` is the revert data of a contract. */
export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: Hex }

/** The answer is not valid JSON-RPC, or does not match the request. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError'
}

/** Ids count from 1; they only need to be unique within one request. */
const envelope = ({ method, params }: RpcCall, index: number) => ({ jsonrpc: '2.0', id: index + 1, method, params })

export const encodeCall = (call: RpcCall): string => JSON.stringify(envelope(call, 0))
export const encodeBatch = (calls: readonly RpcCall[]): string => JSON.stringify(calls.map(envelope))

/** The answer to one call. An error may lack the id if the node could not parse the request. */
export function parseAnswer(body: unknown): RpcOutcome {
  const outcome = outcomeOf(body)
  const id = idOf(body)
  if (id === 1 || (id === null && !outcome.ok)) return outcome
  throw new MalformedAnswerError('it answers a call that was not sent')
}

/** The answers to a batch in the order of its calls, or the single error with which the node rejected the batch. */
export function parseBatch(body: unknown, count: number): RpcOutcome[] | Extract<RpcOutcome, { ok: false }> {
  if (!Array.isArray(body)) {
    const outcome = outcomeOf(body)
    if (outcome.ok) throw new MalformedAnswerError('it sent one answer to several calls')
    return outcome
  }
  const answers: readonly unknown[] = body
  if (answers.length !== count) throw new MalformedAnswerError('it sent more or fewer answers than there were calls')
  const outcomes: (RpcOutcome | undefined)[] = Array.from({ length: count })
  for (const answer of answers) {
    const id = idOf(answer)
    const isOurs = typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= count
    if (!isOurs) throw new MalformedAnswerError('it answers a call that was not sent')
    if (outcomes[id - 1] !== undefined) throw new MalformedAnswerError('it answers one call twice')
    outcomes[id - 1] = outcomeOf(answer)
  }
  return outcomes.filter((outcome) => outcome !== undefined)
}

const idOf = (answer: unknown): unknown => (isObject(answer) ? answer['id'] : undefined)

function outcomeOf(answer: unknown): RpcOutcome {
  if (!isObject(answer)) throw new MalformedAnswerError('the answer is not JSON-RPC')
  const { error } = answer
  // Some nodes send a null error along with a result.
  if (error === undefined || error === null) {
    if (!Object.hasOwn(answer, 'result')) throw new MalformedAnswerError('it sent neither a result nor an error')
    return { ok: true, result: answer['result'] }
  }
  if (!isObject(error) || !Number.isSafeInteger(error['code'])) throw new MalformedAnswerError('its error has no code')
  const message = typeof error['message'] === 'string' ? shortened(error['message']) : ''
  const data = revertData(error['data'])
  return { ok: false, code: error['code'] as number, message, ...(data !== undefined && { data }) }
}

const MAX_MESSAGE_LENGTH = 500

/** A node may repeat the request, which must not be logged. */
const shortened = (message: string): string => message.slice(0, MAX_MESSAGE_LENGTH).replaceAll(/[0-9a-f]{32,}/gi, '…')

const OLD_PREFIX = 'Reverted '

/** Revert data is in `data`, in `data.data`, or after a prefix. */
function revertData(data: unknown): Hex | undefined {
  const inner = isObject(data) ? data['data'] : data
  const text = typeof inner === 'string' && inner.startsWith(OLD_PREFIX) ? inner.slice(OLD_PREFIX.length) : inner
  return isHex(text) ? (text.toLowerCase() as Hex) : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
