import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Verdict } from './peer.ts'

/** What a service said of each domain, and when, counted from the moment the request was sent. */
export type Heard = {
  readonly verdicts: Readonly<Record<string, Verdict>>
  readonly wallMs: number
  readonly firstMs: number
}

type Result = { readonly domain: string; readonly status: readonly string[] }

const verdictOf = ({ status: [state] }: Result): Verdict => {
  if (state === 'available') return 'available'
  return state === 'registered' || state === 'reserved' ? 'taken' : 'unknown'
}

type Asking = { readonly url: string; readonly deadlineMs: number }

/** A list of domains, as lines in the order they become known. */
export const askBulk = (base: string, domains: readonly string[], deadlineMs: number): Promise<Heard> =>
  askLines({ url: `${base}/v1/check/bulk`, deadlineMs }, JSON.stringify({ domains }))

/** One name under the twenty most popular TLDs. */
export const askStream = (base: string, name: string, deadlineMs: number): Promise<Heard> =>
  askLines({ url: `${base}/v1/check?name=${name}`, deadlineMs })

/** One name under all TLDs, as old clients ask. */
export async function askLegacy(base: string, name: string, deadlineMs: number): Promise<Heard> {
  const began = performance.now()
  const answer = await send({ url: `${base}/check?name=${name}`, deadlineMs }, 'application/json')
  const parts = (await answer.toArray()) as Buffer[]
  const wallMs = performance.now() - began
  const { results } = JSON.parse(Buffer.concat(parts).toString()) as { results: Result[] }
  return { verdicts: byDomain(results), wallMs, firstMs: wallMs }
}

async function askLines(asking: Asking, body?: string): Promise<Heard> {
  const began = performance.now()
  const answer = await send(asking, 'application/x-ndjson', body)
  const results: Result[] = []
  let firstMs = Number.NaN
  let summary = false
  for await (const line of createInterface({ input: answer })) {
    const value = JSON.parse(line) as Result | { summary: object }
    if (Number.isNaN(firstMs)) firstMs = performance.now() - began
    if ('summary' in value) summary = true
    else results.push(value)
  }
  const wallMs = performance.now() - began
  if (!summary) throw new Error(`The answer of ${asking.url} ended early.`)
  return { verdicts: byDomain(results), wallMs, firstMs }
}

const byDomain = (results: readonly Result[]): Heard['verdicts'] =>
  Object.fromEntries(results.map((result) => [result.domain, verdictOf(result)]))

/** Not `fetch`: what it needs at its first use would be counted as the service's. */
async function send({ url, deadlineMs }: Asking, accept: string, body?: string): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { accept, ...(body !== undefined && { 'content-type': 'application/json' }) }
    request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      agent: false,
      signal: AbortSignal.timeout(deadlineMs),
    })
      .once('response', resolve)
      .once('error', reject)
      .end(body)
  })
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`)
  return answer
}
