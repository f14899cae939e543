import { checkConcurrently } from '../../src/availability/concurrent-checks.ts'
import { createLookup, type LookupResult } from '../../src/availability/lookup.ts'
import type { Target } from '../../src/availability/probe.ts'
import { registryProbe } from '../../src/availability/sources/registry.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import type { DomainName, Label } from '../../src/kernel/names.ts'
import { createPacer } from '../../src/kernel/pace/pacer.ts'
import { createWorld, type Limiter } from '../../src/kernel/pace/simulation.fixture.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import type { UpstreamRequest, UpstreamResponse } from '../../src/kernel/upstream/client.ts'
import { transportFailure } from '../../src/kernel/upstream/failures.ts'
import { createRdap } from '../../src/protocols/rdap/client.ts'
import type { WhoisReply, WhoisRequest } from '../../src/protocols/whois43/client.ts'
import { createWhoisRegistry } from '../../src/protocols/whois43/registry.ts'

/** How one query ends. `connection` failures come without a round trip, the others after one. */
export type Fault =
  /** The answer. */
  | 'none'
  | 'refused'
  | 'certificate'
  | 'reset'
  /** The body ends early, with the connection. */
  | 'cut'
  /** A complete body that is not the registry's. */
  | 'foreign'
  | 'error'
  | 'hang'
  | 'throttled'

type Options = {
  /** How the `count`-th query of a protocol ends, counted from 1 for all names. */
  readonly rdap?: (domain: string, count: number) => Fault
  readonly whois?: (domain: string, count: number) => Fault
  readonly rdapLimit?: Limiter
  readonly whoisLimit?: Limiter
  readonly hasWhois?: boolean
  readonly latencyMs?: number
  readonly timeoutMs?: number
}

export const LATENCY_MS = 20
const HOST = 'rdap.test'
/** The wording of the .com registry's own WHOIS host. */
const WHOIS_HOST = 'whois.verisign-grs.com'

/** `free…` is available, any other name is registered. No name is delegated, so that the registry has to decide. */
const isFree = (domain: string): boolean => domain.startsWith('free')

/** A registry with RDAP and WHOIS under simulated time, looked up as the service does it. */
export function simulateRegistry(options: Options) {
  const { rdap = () => 'none', whois = () => 'none', latencyMs = LATENCY_MS, timeoutMs = 60_000 } = options
  const { rdapLimit = () => true, whoisLimit = () => true, hasWhois = true } = options
  const world = createWorld()
  const { clock } = world
  const random = seededRandom(1)
  const counts = { rdap: 0, whois: 0, throttled: 0, maxWhoisUnderWay: 0 }

  /** Waits as the fault does, then throws its error; returns if the server answers. */
  const play = async (fault: Fault, host: string, signal: AbortSignal, limitMs: number): Promise<Fault> => {
    if (fault === 'refused' || fault === 'certificate') throw transportFailure(host, networkError(fault))
    if (fault === 'hang') {
      await world.wait(limitMs, signal)
      throw new UpstreamError('timeout', `${host} did not answer within ${limitMs} ms`)
    }
    await world.wait(latencyMs, signal)
    if (fault === 'reset' || fault === 'cut') throw transportFailure(host, networkError(fault))
    if (fault === 'error') throw new UpstreamError('unavailable', `${host} answered 503`)
    return fault
  }

  const request = async ({ url, signal, timeoutMs: limitMs }: UpstreamRequest): Promise<UpstreamResponse> => {
    counts.rdap++
    const domain = String(url).split('/').at(-1)!
    const isAllowed = rdapLimit(clock.monotonic())
    const fault = await play(rdap(domain, counts.rdap), HOST, signal!, limitMs!)
    if (!isAllowed) {
      counts.throttled++
      throw new UpstreamError('rate_limited', `${HOST} answered 429`, { retryAfterMs: 1000 })
    }
    const status = isFree(domain) ? 404 : 200
    const body = isFree(domain)
      ? { errorCode: 404, title: 'Not Found' }
      : { objectClassName: 'domain', ldhName: domain, status: ['active'] }
    const text = fault === 'foreign' ? '<!doctype html><title>Welcome</title>' : JSON.stringify(body)
    return {
      status,
      headers: { 'content-type': fault === 'foreign' ? 'text/html' : 'application/rdap+json' },
      body: Buffer.from(text),
      text: () => text,
      json: () => JSON.parse(text) as unknown,
      url: String(url),
      elapsedMs: latencyMs,
    }
  }

  let whoisUnderWay = 0
  const query = async ({ domain, signal, timeoutMs: limitMs }: WhoisRequest): Promise<WhoisReply> => {
    counts.whois++
    counts.maxWhoisUnderWay = Math.max(counts.maxWhoisUnderWay, ++whoisUnderWay)
    const isAllowed = whoisLimit(clock.monotonic())
    try {
      const fault = await play(whois(domain, counts.whois), WHOIS_HOST, signal!, limitMs!)
      if (fault === 'throttled' || !isAllowed) counts.throttled++
      const text =
        fault === 'throttled' || !isAllowed
          ? 'WHOIS LIMIT EXCEEDED\r\n'
          : isFree(domain)
            ? `No match for domain "${domain.toUpperCase()}".\r\n`
            : `   Domain Name: ${domain.toUpperCase()}\r\n   Registry Domain ID: 1_DOMAIN_COM-VRSN\r\n   Registrar: Ours\r\n`
      const bytes = Buffer.from(text)
      return { server: `${WHOIS_HOST}:43`, query: domain, bytes, text, charset: 'utf-8', elapsedMs: latencyMs }
    } finally {
      whoisUnderWay--
    }
  }

  const probes = {
    dns: {
      async query({ domain }: Target) {
        const evidence = { source: 'dns', server: 'a', question: domain, outcome: 'NXDOMAIN', at: '', ms: 0 } as const
        return { says: 'not_delegated', ttlMs: 60_000, evidence } as const
      },
    },
    rdap: registryProbe(
      'rdap',
      createRdap({
        upstream: { request },
        pacer: createPacer({ clock, random, wait: world.wait }),
        bootstrap: { baseFor: () => `https://${HOST}/` },
        clock,
      }),
      clock,
    ),
    whois: registryProbe(
      'whois',
      createWhoisRegistry({
        client: { query },
        pacer: createPacer({ clock, random, wait: world.wait, maxConcurrent: 4, initialBurst: 4 }),
        serverOf: () => WHOIS_HOST,
        clock,
      }),
      clock,
    ),
  }
  const policy = { tld: 'com', type: 'gTLD', lookup: 'rdap', hasWhois } as const
  const lookUp = createLookup({ probes, policyFor: () => policy, clock })

  const checkAll = async (names: readonly string[]) => {
    const states: Record<string, LookupResult['verdict']['state']> = {}
    const began = clock.monotonic()
    let lastMs = 0
    const targets = names.map((name) => ({ domain: `${name}.com` as DomainName, label: name as Label, tld: 'com' }))
    const check = async (target: Target, { signal }: { signal: AbortSignal }) => {
      const result = await lookUp(target, { wants: 'verdict', signal, timeoutMs, lane: 'test' })
      lastMs = clock.monotonic() - began
      return { target, result }
    }
    const { signal } = new AbortController()
    for await (const { target, result } of checkConcurrently(check, targets, { signal })) {
      states[target.label] = result.verdict.state
    }
    return { states, ms: lastMs }
  }

  return {
    counts,
    /** Looks up the names at once. `ms` is the simulated time until the last verdict. */
    check: (names: readonly string[]) => world.live(checkAll(names)),
    /** Lets time pass. */
    pass: (ms: number) => world.live(world.wait(ms)),
  }
}

const CODES = {
  refused: 'ECONNREFUSED',
  certificate: 'CERT_HAS_EXPIRED',
  reset: 'ECONNRESET',
  cut: 'UND_ERR_SOCKET',
} as const

const networkError = (fault: keyof typeof CODES): Error => Object.assign(new Error(fault), { code: CODES[fault] })

/** This many names, every other one free. */
export const mixedNames = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, at) => `${at % 2 === 0 ? 'free' : 'held'}-${from + at}`)
