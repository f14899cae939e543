import { Agent, type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type DelayMeter, watchForHang } from '../support/hang.ts'
import type { FuzzRequest } from './requests.ts'

export type FuzzReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Headers
      readonly text: string
      readonly ms: number
    }
  | { readonly kind: 'left' }
  | { readonly kind: 'hung'; readonly ms: number }
  | { readonly kind: 'cut'; readonly error: string }

export type FuzzClient = { send(one: FuzzRequest, timeoutMs: number): Promise<FuzzReply>; close(): void }

type Meter = Pick<DelayMeter, 'delayMs'>
type Options = {
  readonly urls: { readonly main: string; readonly ens: string }
  readonly address: string
  readonly meter: Meter
}

/** A client with an address of its own on loopback (127.0.0.2 and up), so that several are counted as several. */
export function createFuzzClient({ urls, address, meter }: Options): FuzzClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: address })
  return {
    send: (one, timeoutMs) => send(agent, urls[one.listener], one, { timeoutMs, meter }),
    close: () => agent.destroy(),
  }
}

type Limit = { readonly timeoutMs: number; readonly meter: Meter; readonly isAgain?: boolean }

function send(agent: Agent, base: string, one: FuzzRequest, limit: Limit): Promise<FuzzReply> {
  const { timeoutMs, meter, isAgain = false } = limit
  const { hostname, port } = new URL(base)
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const { method, target: path, headers, body, breakOff } = one
    const length = body && { 'content-length': String(body.length) }
    const sending = request({ agent, host: hostname, port, method, path, headers: { ...headers, ...length } })
    const ms = () => performance.now() - startedAt
    let isDone = false
    const finish = (reply: FuzzReply | Promise<FuzzReply>) => {
      isDone = true
      answered()
      resolve(reply)
    }
    const leave = () => {
      finish({ kind: 'left' })
      sending.destroy()
    }
    const answered = watchForHang(timeoutMs, meter, () => {
      finish({ kind: 'hung', ms: ms() })
      sending.destroy()
    })
    sending.on('error', (error) => {
      if (isDone) return
      // The service may close an idle connection at the moment it is used again; every client sends again then.
      if (sending.reusedSocket && !isAgain) return finish(send(agent, base, one, { ...limit, isAgain: true }))
      finish({ kind: 'cut', error: `${error.name}: ${error.message}` })
    })
    sending.on('response', (response) => {
      if (breakOff) return leave()
      readAnswer(response, ms).then(finish, (error: unknown) => finish({ kind: 'cut', error: String(error) }))
    })
    if (breakOff === 'in the body' && body && body.length > 1) {
      sending.write(body.subarray(0, body.length >> 1), () => setImmediate(leave))
      return
    }
    sending.end(body, () => {
      if (breakOff === 'after the request' || breakOff === 'in the body') setImmediate(leave)
    })
  })
}

async function readAnswer(response: IncomingMessage, ms: () => number): Promise<FuzzReply> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  const headers = new Headers()
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  const bytes = decompress(Buffer.concat(chunks), headers.get('content-encoding'))
  return { kind: 'answered', status: response.statusCode!, headers, text: bytes.toString(), ms: ms() }
}

function decompress(bytes: Buffer, encoding: string | null): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}
