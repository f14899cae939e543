import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Verdict } from './peer.ts'

/** The verdict on each domain, and the time from sending the request to the last and the first of them. */
export type CheckResults = {
  readonly verdicts: Readonly<Record<string, Verdict>>
  readonly wallMs: number
  readonly firstMs: number
}

type Result = { readonly domain: string; readonly status: readonly string[] }

const toVerdict = ({ status: [state] }: Result): Verdict => {
  if (state === 'available') return 'available'
  return state === 'registered' || state === 'reserved' ? 'taken' : 'unknown'
}

type Call = { readonly url: string; readonly timeoutMs: number }

/** A list of domains; results are lines in the order they become known. */
export const checkBulk = (base: string, domains: readonly string[], timeoutMs: number): Promise<CheckResults> =>
  readLines({ url: `${base}/v1/check/bulk`, timeoutMs }, JSON.stringify({ domains }))

/** One name under the twenty most popular TLDs. */
export const checkStream = (base: string, name: string, timeoutMs: number): Promise<CheckResults> =>
  readLines({ url: `${base}/v1/check?name=${name}`, timeoutMs })

/** One name under all TLDs, at the endpoint of older clients. */
export async function checkLegacy(base: string, name: string, timeoutMs: number): Promise<CheckResults> {
  const began = performance.now()
  const response = await send({ url: `${base}/check?name=${name}`, timeoutMs }, 'application/json')
  const parts = (await response.toArray()) as Buffer[]
  const wallMs = performance.now() - began
  const { results } = JSON.parse(Buffer.concat(parts).toString()) as { results: Result[] }
  return { verdicts: byDomain(results), wallMs, firstMs: wallMs }
}

async function readLines(call: Call, body?: string): Promise<CheckResults> {
  const began = performance.now()
  const response = await send(call, 'application/x-ndjson', body)
  const results: Result[] = []
  let firstMs = Number.NaN
  let summary = false
  for await (const line of createInterface({ input: response })) {
    const value = JSON.parse(line) as Result | { summary: object }
    if (Number.isNaN(firstMs)) firstMs = performance.now() - began
    if ('summary' in value) summary = true
    else results.push(value)
  }
  const wallMs = performance.now() - began
  if (!summary) throw new Error(`The response of ${call.url} ended early.`)
  return { verdicts: byDomain(results), wallMs, firstMs }
}

const byDomain = (results: readonly Result[]): CheckResults['verdicts'] =>
  Object.fromEntries(results.map((result) => [result.domain, toVerdict(result)]))

/** Not `fetch`: the cost of its first use would be counted as the service's. */
async function send({ url, timeoutMs }: Call, accept: string, body?: string): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { accept, ...(body !== undefined && { 'content-type': 'application/json' }) }
    request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
      .once('response', resolve)
      .once('error', reject)
      .end(body)
  })
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}.`)
  return response
}
