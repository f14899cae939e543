import { LRUCache } from 'lru-cache'

/** Answers `tools/list` from bytes that the SDK made once: the list is long, and the same for every client. */
export type PreparedLists = {
  /**
   * The answer to a message or batch that consists of `tools/list` requests only; undefined if the SDK must answer. `ask`
   * lets the SDK answer one message with these request headers.
   */
  answer(
    json: unknown,
    headers: RequestHeaders,
    ask: (message: object) => Promise<Response>,
  ): Promise<PreparedAnswer | undefined>
}

type RequestHeaders = readonly (readonly [string, string])[]

export type PreparedAnswer = {
  readonly headers: readonly (readonly [string, string])[]
  readonly parts: readonly Buffer[]
}

/** The answer around the id of the request. */
type Template = { readonly headers: readonly (readonly [string, string])[]; readonly around: readonly [Buffer, Buffer] }

type ListRequest = {
  readonly jsonrpc: '2.0'
  readonly id: string | number
  readonly method: 'tools/list'
  readonly params?: unknown
}

/** Answers differ by protocol revision and parameters; clients use a handful of combinations. */
const MAX_TEMPLATES = 32
const MAX_KEY_LENGTH = 2_000
const PLACEHOLDER_ID = 'id-of-the-request:8d1f6c0e'

export function createPreparedLists(): PreparedLists {
  const templates = new LRUCache<string, Template>({ max: MAX_TEMPLATES })

  const templateFor = async (
    { params }: ListRequest,
    headers: RequestHeaders,
    ask: (message: object) => Promise<Response>,
  ): Promise<Template | undefined> => {
    const key = JSON.stringify([headers, params])
    if (key.length > MAX_KEY_LENGTH) return undefined
    const known = templates.get(key)
    if (known) return known
    const made = await toTemplate(
      await ask({ jsonrpc: '2.0', id: PLACEHOLDER_ID, method: 'tools/list', ...(params !== undefined && { params }) }),
    )
    if (made) templates.set(key, made)
    return made
  }

  return {
    async answer(json, headers, ask) {
      const messages: unknown[] = Array.isArray(json) ? json : [json]
      if (messages.length === 0 || !messages.every(isListRequest)) return undefined
      const parts: Buffer[] = []
      let shared: Template['headers'] = []
      for (const message of messages) {
        const template = await templateFor(message, headers, ask)
        // Only events can be appended to each other.
        if (!template || (messages.length > 1 && !isEventStream(template))) return undefined
        const [before, after] = template.around
        parts.push(before, Buffer.from(JSON.stringify(message.id)), after)
        shared = template.headers
      }
      return { headers: shared, parts }
    },
  }
}

function isListRequest(message: unknown): message is ListRequest {
  if (typeof message !== 'object' || message === null) return false
  const { jsonrpc, id, method } = message as Record<string, unknown>
  return jsonrpc === '2.0' && method === 'tools/list' && (typeof id === 'string' || Number.isInteger(id))
}

/** Undefined if the answer is an error, or does not have the id exactly once. */
async function toTemplate(answer: Response): Promise<Template | undefined> {
  const pieces = (await answer.text()).split(JSON.stringify(PLACEHOLDER_ID))
  if (answer.status !== 200 || pieces.length !== 2) return undefined
  return { headers: [...answer.headers], around: [Buffer.from(pieces[0]!), Buffer.from(pieces[1]!)] }
}

const isEventStream = ({ headers }: Template): boolean =>
  headers.some(([name, value]) => name === 'content-type' && value.startsWith('text/event-stream'))
