import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import type { Child } from '../children.ts'
import { median } from '../speed.ts'

export type Plan = {
  /** Fresh names for each latency. */
  readonly names: number
  /** Requests of each kind in a round. */
  readonly requests: number
  readonly rounds: number
}

export type PageFigures = {
  /** Milliseconds to the first part of a dossier, from the request. */
  readonly firstPartMs: readonly number[]
  /** Milliseconds from the first byte of a page to its first tile. */
  readonly firstTileMs: readonly number[]
  readonly compactBytes: number
  /** Compressed with gzip, as the service sends them. */
  readonly scriptBytes: number
  readonly styleBytes: number
  /** Of a page with all TLDs, uncompressed. */
  readonly allTldsBytes: number
  /** CPU time of the service for a page, and for the check of the same domains, in each round. */
  readonly costs: Readonly<Record<SetName, readonly Cost[]>>
}

export type SetName = 'top20' | 'all'
export type Cost = { readonly pageMicros: number; readonly checkMicros: number }

const ASSETS = new URL('../../src/surfaces/page/assets/', import.meta.url)
const NDJSON = { accept: 'application/x-ndjson' }

export async function measurePage(
  { child, url }: { readonly child: Child; readonly url: string },
  plan: Plan,
  showProgress: (what: string) => void,
): Promise<PageFigures> {
  const tlds = loadCatalogue().all
  const firstPartMs: number[] = []
  const firstTileMs: number[] = []
  // The first few compile the code; a service runs for days.
  const warmUp = Math.ceil(plan.names / 4)
  for (let at = -warmUp; at < plan.names; at++) {
    showProgress(`first part and first tile, ${at + 1} of ${plan.names}`)
    const part = await watch(`${url}/v1/names/part-${at + warmUp}-bench`, /"part":/, NDJSON)
    const tile = await watch(`${url}/n/tile-${at + warmUp}-bench`, /<li slot="t-/)
    if (at < 0) continue
    firstPartMs.push(part.matchMs)
    firstTileMs.push(tile.matchMs - tile.firstByteMs)
  }

  const name = 'same-bench'
  const page = { top20: `${url}/n/${name}`, all: `${url}/n/${name}?set=all` }
  const domains = tlds.map((tld) => `${name}.${tld}`)
  const check: Readonly<Record<SetName, () => Promise<unknown>>> = {
    top20: () => read(`${url}/v1/check?name=${name}`),
    all: () =>
      read(`${url}/v1/check/bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ domains }),
      }),
  }
  const costs: Record<SetName, Cost[]> = { top20: [], all: [] }
  for (const set of ['top20', 'all'] as const) {
    // Until no domain is unknown: verdicts that are not kept would be looked up again.
    for (let at = 0; at < 5; at++) await Promise.all([read(page[set]), check[set]()])
    for (let round = -1; round < plan.rounds; round++) {
      showProgress(`CPU time of ${set}, round ${round + 1} of ${plan.rounds}`)
      const pageMicros = await cpuOf(child, plan.requests, () => read(page[set]))
      const checkMicros = await cpuOf(child, plan.requests, check[set])
      if (round >= 0) costs[set].push({ pageMicros, checkMicros })
    }
  }
  return {
    firstPartMs,
    firstTileMs,
    compactBytes: (await read(`${url}/v1/names/${name}?category=all&view=compact`)).length,
    scriptBytes: sizeOf('.js'),
    styleBytes: sizeOf('.css'),
    allTldsBytes: (await read(page.all)).length,
    costs,
  }
}

export const ratioOf = (costs: readonly Cost[]): number =>
  median(costs.map(({ pageMicros, checkMicros }) => pageMicros / checkMicros))

async function read(address: string, init: RequestInit = {}): Promise<Buffer> {
  const answer = await fetch(address, init)
  const body = Buffer.from(await answer.arrayBuffer())
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}: ${body.toString().slice(0, 200)}`)
  return body
}

/** When the first byte and the first match arrive. Reads on until the end. */
async function watch(address: string, pattern: RegExp, headers: Record<string, string> = {}) {
  const startedAt = performance.now()
  const answer = await fetch(address, { headers })
  let firstByteMs: number | undefined
  let matchMs: number | undefined
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer.body!) {
    const ms = performance.now() - startedAt
    firstByteMs ??= ms
    if (matchMs !== undefined) continue
    text += decoder.decode(chunk, { stream: true })
    if (pattern.test(text)) matchMs = ms
  }
  if (firstByteMs === undefined || matchMs === undefined) throw new Error(`${address} has no ${String(pattern)}.`)
  return { firstByteMs, matchMs }
}

/** CPU time of the service for one request, in microseconds. One at a time, as a person opens pages. */
async function cpuOf(child: Child, requests: number, send: () => Promise<unknown>): Promise<number> {
  const before = await child.usage()
  for (let at = 0; at < requests; at++) await send()
  const after = await child.usage()
  return (after.cpuMicros - before.cpuMicros) / requests
}

const sizeOf = (ending: string): number =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith(ending))
    .reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, ASSETS)), { level: 9 }).length, 0)
