import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../speed.ts'
import type { Target } from './attack.ts'

/** Longer than any of our own timeouts; a request that takes this long counts with it. */
const REQUEST_TIMEOUT_MS = 60_000

export type VictimFigures = {
  readonly p50Ms: number
  readonly maxMs: number
  /** Requests that were refused, cut off or answered with an error. */
  readonly failed: number
}

type Plan = {
  readonly send: (target: Target) => Promise<void>
  readonly everyMs: number
  readonly requests: number
}

/**
 * Sends at a fixed rate, whether or not earlier requests were answered: otherwise a service that stands still would be
 * asked less often while it does, and look faster than it is. A failed request counts with its timeout.
 */
export async function measureVictim(target: Target, { send, everyMs, requests }: Plan): Promise<VictimFigures> {
  let failed = 0
  const one = async (): Promise<number> => {
    const began = performance.now()
    try {
      await send(target)
      return performance.now() - began
    } catch {
      failed++
      return REQUEST_TIMEOUT_MS
    }
  }
  const began = performance.now()
  const sent: Promise<number>[] = []
  for (let at = 0; at < requests; at++) {
    await sleep(Math.max(began + at * everyMs - performance.now(), 0))
    sent.push(one())
  }
  const times = await Promise.all(sent)
  return { p50Ms: median(times), maxMs: Math.max(...times), failed }
}

export type Sent = { readonly status: number; readonly body: Buffer }
type SendOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

/** One request on a new connection, read to its end. */
export function sendRequest(url: string, { body, signal, ...options }: SendOptions = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const sent = request(url, {
      ...options,
      agent: false,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    sent.once('error', reject)
    sent.once('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.once('end', () => resolve({ status: response.statusCode!, body: Buffer.concat(parts) }))
      response.once('error', reject)
    })
    sent.end(body)
  })
}

/** `GET`; rejects unless the answer is 200. The client's address is claimed as a trusted proxy would. */
export async function get(url: string, address?: string): Promise<Buffer> {
  const { status, body } = await sendRequest(
    url,
    address === undefined ? {} : { headers: { 'x-forwarded-for': address } },
  )
  if (status !== 200) throw new Error(`${url} answered ${status}.`)
  return body
}
