import { Agent, request } from 'undici'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { conformTo } from '../support/conformity.ts'
import { type DelayMeter, watchForHang } from '../support/hang.ts'
import type { ChaosWorld } from './world.ts'

export type TrafficReport = {
  readonly answered: number
  /** Verdicts that are not `unknown`. */
  readonly decided: number
  readonly unknown: number
  /** Trademarks with data of the record system. */
  readonly enriched: number
  readonly broken: number
  readonly problems: readonly string[]
}

type Options = {
  readonly url: string
  readonly seed: number
  readonly world: Pick<ChaosWorld, 'truthOf' | 'marks'>
  readonly document: Json
  readonly workers: number
  readonly meter: Pick<DelayMeter, 'delayMs'>
  /** Whether connections may break: the service is being killed or has no descriptors left. */
  readonly mayBreak: boolean
}

/** A request and the time it may take: the deadline that its documentation states, and a margin for a busy machine. */
type Ask = { readonly path: string; readonly timeoutMs: number; readonly body?: object }

const MARGIN_MS = 8_000
const FIRST_KIND_STEP = 4
const TLDS = ['com', 'net', 'org', 'dev', 'app', 'de', 'it', 'es']
const PAUSE_AFTER_BREAK_MS = 50
/** The status of every record at the simulated record system. */
const RECORD_STATUS = 'As told by the record system.'

/** Sends requests of all kinds until `stop`, and compares every verdict with the truth. */
export function startTraffic({ url, seed, world, document, workers, meter, mayBreak }: Options) {
  const conformity = conformTo(document)
  const counts = { answered: 0, decided: 0, unknown: 0, enriched: 0, broken: 0 }
  const problems: string[] = []
  const agent = new Agent({ connections: workers, bodyTimeout: 0, headersTimeout: 0 })
  const stopping = new AbortController()

  const judge = (path: string, status: number, headers: Headers, text: string) => {
    counts.answered++
    try {
      conformity.check({ method: path.endsWith('/bulk') ? 'POST' : 'GET', path }, { status, headers, text })
    } catch (error) {
      problems.push(`${path}: ${(error as Error).message.slice(0, 400)}`)
    }
    if (text.includes('"internal_error"')) problems.push(`${path}: an unexpected error: ${text.slice(0, 200)}`)
    if (status === 200 && path.startsWith('/v1/trademark/')) judgeMarks(path, text)
    if (status !== 200 || !/^\/v1\/(?:check|whois)/.test(path)) return
    for (const { domain, verdict } of verdictsIn(JSON.parse(text) as Json)) {
      if (verdict === 'unknown') counts.unknown++
      else counts.decided++
      if (verdict === 'available' && world.truthOf(domain).state === 'registered')
        problems.push(`${path}: ${domain} is registered and was called available: ${text.slice(0, 400)}`)
    }
  }

  /** What the record system says must be its own words, whatever its line makes of them. */
  const judgeMarks = (path: string, text: string) => {
    const { results } = JSON.parse(text) as { results: { record_enriched: boolean; record_data?: object }[] }
    for (const { record_enriched: isEnriched, record_data: data } of results) {
      if (isEnriched) counts.enriched++
      if (isEnriched && !JSON.stringify(data).includes(RECORD_STATUS))
        problems.push(`${path}: a record has data that the record system did not send: ${JSON.stringify(data)}`)
    }
  }

  const send = async ({ path, timeoutMs, body }: Ask): Promise<void> => {
    const limit = timeoutMs + MARGIN_MS
    const hung = new AbortController()
    const answered = watchForHang(limit, meter, () => hung.abort())
    try {
      const reply = await request(url + path, {
        dispatcher: agent,
        signal: hung.signal,
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const headers = new Headers()
      for (const [name, value] of Object.entries(reply.headers)) headers.set(name, [value].flat().join())
      judge(path, reply.statusCode, headers, await reply.body.text())
    } catch (error) {
      counts.broken++
      const { message } = error as Error
      if (hung.signal.aborted) problems.push(`${path}: no answer within ${limit} ms`)
      else if (!mayBreak) problems.push(`${path}: the connection broke: ${message}`)
      await new Promise((resolve) => setTimeout(resolve, PAUSE_AFTER_BREAK_MS))
    } finally {
      answered()
    }
  }

  const work = async (number: number): Promise<void> => {
    const random = seededRandom(seed * 1000 + number)
    for (let count = 0; !stopping.signal.aborted; count++) {
      const label = () => `chaos${seed}x${number}x${count}x${random.below(1000)}`
      const kinds = asks({ label, tld: () => pick(random, TLDS), mark: () => pick(random, world.marks) })
      // In turn, each worker from another one on, so that every kind is sent soon.
      await send(kinds[(number * FIRST_KIND_STEP + count) % kinds.length]!)
    }
  }
  const done = Promise.all(Array.from({ length: workers }, (_, number) => work(number)))
  return {
    /** How often each part was of use so far. */
    used: () => ({ verdicts: counts.decided, 'enriched records': counts.enriched }),
    /** Waits for the requests under way: each ends by itself or is a problem. */
    async stop(): Promise<TrafficReport> {
      stopping.abort()
      await done
      await agent.close()
      return { ...counts, problems }
    },
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!

type Words = { label(): string; tld(): string; mark(): string }

function asks({ label, tld, mark }: Words): readonly Ask[] {
  const domain = () => `${label()}.${tld()}`
  const domains = (count: number) => Array.from({ length: count }, domain)
  const check: Ask = { path: `/v1/check?domain=${domains(4).join(',')}`, timeoutMs: 10_000 }
  return [
    check,
    check,
    check,
    { path: `/v1/check?name=${label()}&tld=com,de,it`, timeoutMs: 10_000 },
    { path: '/v1/check/bulk', timeoutMs: 60_000, body: { domains: domains(8) } },
    { path: `/v1/whois?domain=${domain()}`, timeoutMs: 15_000 },
    { path: `/v1/whois?domain=taken-${label()}.com`, timeoutMs: 15_000 },
    { path: `/v1/dns/taken-${label()}.com`, timeoutMs: 8_000 },
    { path: `/v1/aftermarket/${domain()}`, timeoutMs: 5_000 },
    { path: `/v1/name-search-presence?name=${label()}`, timeoutMs: 5_000 },
    { path: `/v1/ens/check?name=${label()}`, timeoutMs: 16_000 },
    { path: '/v1/auctions?limit=5', timeoutMs: 5_000 },
    { path: `/v1/trademark/search?limit=5&q=${encodeURIComponent(mark())}`, timeoutMs: 5_000 },
    { path: `/screenshots/${'0123456789abcdef'.repeat(4)}.jpg`, timeoutMs: 10_000 },
    { path: '/health', timeoutMs: 1_000 },
  ]
}

type Result = { readonly domain: string; readonly status: readonly string[] }

function verdictsIn(body: Json): { readonly domain: string; readonly verdict: string }[] {
  if (typeof body['available'] === 'boolean')
    return [{ domain: String(body['domain']), verdict: body['available'] ? 'available' : 'registered' }]
  const results = (body['results'] ?? []) as Result[]
  return results.map(({ domain, status }) => ({ domain, verdict: status[0] ?? 'unknown' }))
}
