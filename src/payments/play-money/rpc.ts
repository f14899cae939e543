/** Becomes a JSON-RPC error response. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault'
  readonly code: number
  /** Revert data of a contract. */
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

const INVALID_REQUEST = -32_600
export const INVALID_PARAMS = -32_602
/** The code nodes use when they refuse a transaction. */
export const TRANSACTION_REJECTED = -32_000
/** Geth's code for a reverted call. */
export const REVERTED = 3

export type Method = (params: readonly unknown[]) => unknown

/** A JSON-RPC node in this process, without a network. */
export type SimulatedNode = {
  /** Throws RpcFault. */
  answer(method: string, params?: readonly unknown[]): Promise<unknown>
  /** Handles an HTTP body with one request or a batch; never throws. */
  handle(body: string): Promise<string>
}

const MAX_BATCH_SIZE = 100

export function createSimulatedNode(methods: Readonly<Record<string, Method>>): SimulatedNode {
  const answer = async (method: string, params: readonly unknown[] = []): Promise<unknown> => {
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!known) throw new RpcFault(-32_601, `the method ${method.slice(0, 60)} does not exist/is not available`)
    return await known(params)
  }

  const handleOne = async (request: unknown): Promise<object> => {
    if (!isJsonRpcRequest(request)) return failure(null, new RpcFault(INVALID_REQUEST, 'invalid request'))
    const { id = null, method, params = [] } = request
    try {
      if (!Array.isArray(params)) throw new RpcFault(INVALID_PARAMS, 'non-array args')
      return { jsonrpc: '2.0', id, result: (await answer(method, params)) ?? null }
    } catch (error) {
      return failure(id, error)
    }
  }

  return {
    answer,
    async handle(body) {
      let parsed: unknown
      try {
        parsed = JSON.parse(body)
      } catch {
        return JSON.stringify(failure(null, new RpcFault(-32_700, 'parse error')))
      }
      if (!Array.isArray(parsed)) return JSON.stringify(await handleOne(parsed))
      if (parsed.length === 0 || parsed.length > MAX_BATCH_SIZE) {
        const message = parsed.length === 0 ? 'empty batch' : 'batch too large'
        return JSON.stringify(failure(null, new RpcFault(INVALID_REQUEST, message)))
      }
      // One after the other, as geth does: a batch may send a transaction and ask for its receipt.
      const answers: object[] = []
      for (const request of parsed as unknown[]) answers.push(await handleOne(request))
      return JSON.stringify(answers)
    },
  }
}

type JsonRpcRequest = { readonly id?: unknown; readonly method: string; readonly params?: unknown }

const isJsonRpcRequest = (value: unknown): value is JsonRpcRequest =>
  typeof value === 'object' && value !== null && 'method' in value && typeof value.method === 'string'

function failure(id: unknown, error: unknown): object {
  const fault = error instanceof RpcFault ? error : new RpcFault(-32_603, 'internal error')
  const { code, message, data } = fault
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}
