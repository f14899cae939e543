import { type Hex, isHex } from './hex.ts'

export type RpcCall = { readonly method: string; readonly params: readonly unknown[] }

/** What a node answered: a result, or its own JSON-RPC error. `data` is what a contract refused with. */
export type RpcOutcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: number; readonly message: string; readonly data?: Hex }

/** The node's answer is not JSON-RPC, or not to what was asked. */
export class MalformedAnswerError extends Error {
  override readonly name = 'MalformedAnswerError'
}

/** Names are ids from 1: an answer belongs to its own request, so they need to be different only within it. */
const envelope = ({ method, params }: RpcCall, index: number) => ({ jsonrpc: '2.0', id: index + 1, method, params })

export const writeCall = (call: RpcCall): string => JSON.stringify(envelope(call, 0))
export const writeBatch = (calls: readonly RpcCall[]): string => JSON.stringify(calls.map(envelope))

/** The answer to one call. Where the node did not understand even the id, its error has none. */
export function readAnswer(body: unknown): RpcOutcome {
  const outcome = outcomeOf(body)
  const id = idOf(body)
  if (id === 1 || (id === null && !outcome.ok)) return outcome
  throw new MalformedAnswerError('it answers something that was not asked')
}

/** The answers to a batch in the order of its calls, or the one error with which the node refused it as a whole. */
export function readBatch(body: unknown, count: number): RpcOutcome[] | Extract<RpcOutcome, { ok: false }> {
  if (!Array.isArray(body)) {
    const outcome = outcomeOf(body)
    if (outcome.ok) throw new MalformedAnswerError('it answers several questions with one')
    return outcome
  }
  const answers: readonly unknown[] = body
  if (answers.length !== count) throw new MalformedAnswerError('it answers more or fewer questions than were asked')
  const outcomes: (RpcOutcome | undefined)[] = Array.from({ length: count })
  for (const answer of answers) {
    const id = idOf(answer)
    const isOurs = typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= count
    if (!isOurs) throw new MalformedAnswerError('it answers something that was not asked')
    if (outcomes[id - 1] !== undefined) throw new MalformedAnswerError('it answers one question twice')
    outcomes[id - 1] = outcomeOf(answer)
  }
  return outcomes.filter((outcome) => outcome !== undefined)
}

const idOf = (answer: unknown): unknown => (isObject(answer) ? answer['id'] : undefined)

function outcomeOf(answer: unknown): RpcOutcome {
  if (!isObject(answer)) throw new MalformedAnswerError('it does not speak JSON-RPC')
  const { error } = answer
  // Some send an empty error along with a result.
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

/** A node may repeat what it was asked, and that is nothing for a log. */
const shortened = (message: string): string => message.slice(0, MAX_MESSAGE_LENGTH).replaceAll(/[0-9a-f]{32,}/gi, '…')

const OLD_PREFIX = 'Reverted '

/** Nodes put the bytes into `data`, one level deeper, or behind a word. */
function revertData(data: unknown): Hex | undefined {
  const inner = isObject(data) ? data['data'] : data
  const text = typeof inner === 'string' && inner.startsWith(OLD_PREFIX) ? inner.slice(OLD_PREFIX.length) : inner
  return isHex(text) ? (text.toLowerCase() as Hex) : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
