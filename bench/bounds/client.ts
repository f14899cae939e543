import { Agent, type IncomingMessage, request } from 'node:http'

export type Answer = { readonly status: number; readonly retryAfter: string | undefined; readonly body: string }

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

type Options = {
  /** In X-Forwarded-For, which the service trusts here. */
  readonly client?: string
  readonly body?: string
  readonly accept?: string
  readonly agent?: Agent | false
}

const send = (
  url: string,
  { client = '198.51.100.1', body, accept, agent: own = agent }: Options,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = {
      'x-forwarded-for': client,
      ...(accept !== undefined && { accept }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const sending = request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: own }, resolve)
    sending.on('error', reject)
    sending.end(body)
  })

export async function ask(url: string, options: Options = {}): Promise<Answer> {
  const response = await send(url, options)
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk
  return { status: response.statusCode!, retryAfter: response.headers['retry-after'], body }
}

/** The answer as soon as it begins; it goes on until `end` is called. */
export async function openStream(url: string, options: Options) {
  const response = await send(url, { ...options, accept: 'application/x-ndjson', agent: false })
  response.on('error', () => {})
  response.resume()
  return {
    status: response.statusCode!,
    retryAfter: response.headers['retry-after'],
    end: () => void response.destroy(),
  }
}

/** Runs `count` steps, some at a time. */
export async function inParallel(count: number, concurrency: number, step: (at: number) => Promise<unknown>) {
  let next = 0
  const worker = async () => {
    while (next < count) await step(next++)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
