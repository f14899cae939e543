import { createHash } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Pacer } from '../../../kernel/pace/pacer.ts'
import type { Random } from '../../../kernel/random.ts'
import type { QueryRegistry, RegistryQueryOptions, RegistryResponse } from '../../../kernel/registration.ts'
import { withTimeout } from '../../../kernel/timeout.ts'
import type { Upstream } from '../../../kernel/upstream/client.ts'
import type { AddressPolicy, HostLookup } from '../../../kernel/upstream/guard.ts'
import { exchange } from '../exchange.ts'
import { formatQuery } from '../query.ts'
import { parseServer, type WhoisServer } from '../server.ts'
import { MAX_ANSWER_BYTES, type DasAnswer } from './answer.ts'
import { encodeDchk, parseDchk } from './dchk.ts'
import { formatIsavail, NO_COOKIE, parseCookie, parseIsavail } from './isavail.ts'
import type { DasService } from './services.ts'
import { udpExchange } from './udp-exchange.ts'

type Needs = {
  /** The service of a suffix, and the server to ask; undefined if its registry has no service. */
  readonly serviceOf: (suffix: string) => DasService | undefined
  readonly policy: AddressPolicy & { readonly lookup?: HostLookup }
  readonly upstream: Pick<Upstream, 'request'>
  readonly pacer: Pick<Pacer, 'run'>
  readonly clock: Clock
  readonly random: Random
  readonly timeoutScale?: number
}

type Exchange = { readonly answer: DasAnswer; readonly query: string; readonly bytes: Uint8Array }

const TIMEOUT_MS = 2_000
/** Of the time that is left; the rest is for WHOIS. */
const MAX_TIME_SHARE = 0.4
/** The server may answer a cookie to a cookie. */
const MAX_COOKIES = 2

/**
 * Asks the availability service of the registry before its WHOIS, whose quota is small. Only `available` is taken from
 * it: for any other answer, for a failure, and beyond the limit of the service, WHOIS is asked.
 */
export function beforeWhois(needs: Needs, whois: QueryRegistry): QueryRegistry {
  const budgets = new Map<string, ReturnType<typeof createMinuteBudget>>()
  const { clock, pacer, timeoutScale = 1 } = needs

  const isWithinBudget = ({ server, perMinute }: DasService): boolean => {
    const budget = budgets.get(server) ?? createMinuteBudget(perMinute, clock)
    budgets.set(server, budget)
    return budget()
  }

  const find = async (
    service: DasService,
    domain: string,
    options: RegistryQueryOptions,
  ): Promise<RegistryResponse | undefined> => {
    const server = parseServer(service.server, 43)
    const leftMs = options.deadline - clock.monotonic()
    const timeoutMs = Math.min(TIMEOUT_MS * timeoutScale, leftMs * MAX_TIME_SHARE)
    if (!server || timeoutMs <= 0 || !isWithinBudget(service)) return undefined
    const { signal, lane, lowPriority } = options
    const at = new Date(clock.now()).toISOString()
    const began = clock.monotonic()
    const send = async (attempt: { signal: AbortSignal; timeoutMs: number }): Promise<Exchange> => {
      const waiting = { who: service.server, timeoutMs: attempt.timeoutMs, signal: attempt.signal }
      const found = await withTimeout(waiting, (own) => askService(needs, service, server, domain, own))
      if (found.answer === 'rate_limited')
        throw new UpstreamError('rate_limited', `${service.server} is asked too often`)
      return found
    }
    // With an alternative the pacer gives up a server that is down at once.
    const pace = { signal, timeoutMs, lane, lowPriority, alternative: { onSlow() {}, deadline: began + timeoutMs } }
    const { answer, query, bytes } = await pacer.run(service.server, send, pace)
    if (answer !== 'available') return undefined
    const evidence = {
      source: 'whois' as const,
      server: service.server,
      question: query,
      outcome: answer,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      at,
      ms: Math.round(clock.monotonic() - began),
    }
    return { answer: { kind: 'available', wording: 'known' }, evidence }
  }

  return async (target, options) => {
    const service = options.wants === 'record' ? undefined : needs.serviceOf(target.tld)
    if (service) {
      try {
        const found = await find(service, target.domain, options)
        if (found) return found
      } catch {
        options.signal.throwIfAborted()
      }
    }
    return whois(target, options)
  }
}

/** Asks a service about a domain, and reads its answer. */
export async function askService(
  needs: Pick<Needs, 'policy' | 'upstream' | 'random'>,
  service: DasService,
  server: WhoisServer,
  domain: string,
  signal: AbortSignal,
): Promise<Exchange> {
  const { policy, upstream, random } = needs
  switch (service.transport) {
    case 'tcp': {
      const query = service.format(formatQuery('', domain as Parameters<typeof formatQuery>[1]))
      const bytes = await exchange(server, query, { ...policy, signal, maxBytes: MAX_ANSWER_BYTES, usualPort: 43 })
      return { answer: service.parse(Buffer.from(bytes).toString('latin1'), domain), query, bytes }
    }
    case 'http': {
      const url = new URL(service.format(domain), `http://${service.server}`)
      const reply = await upstream.request({ url, signal, maxBytes: MAX_ANSWER_BYTES })
      return { answer: service.parse(reply.text(), domain), query: url.href, bytes: reply.body }
    }
    case 'isavail': {
      const id = String(1_000_000_000 + random.below(2 ** 31))
      let cookies = 0
      const query = (cookie: string) => Buffer.from(formatIsavail(domain, { cookie, id }))
      const read = (reply: Buffer): Buffer | Exchange | undefined => {
        const text = reply.toString('latin1')
        const cookie = parseCookie(text)
        if (cookie !== undefined) return cookies++ < MAX_COOKIES ? query(cookie) : undefined
        return { answer: parseIsavail(text, { id, domain }), query: `${domain} (isavail)`, bytes: reply }
      }
      return udpExchange(server, query(NO_COOKIE), read, { ...policy, signal })
    }
    case 'dchk': {
      const transaction = random.below(2 ** 16)
      const read = (reply: Buffer): Exchange => ({
        answer: parseDchk(reply, domain, transaction),
        query: `${domain} (dchk)`,
        bytes: reply,
      })
      return udpExchange(server, encodeDchk(domain, transaction, server.host), read, { ...policy, signal })
    }
  }
}

/** True for this number of calls in any minute. */
function createMinuteBudget(perMinute: number, clock: Clock): () => boolean {
  const times: number[] = []
  return () => {
    const now = clock.monotonic()
    while (times.length > 0 && now - times[0]! >= 60_000) times.shift()
    if (times.length >= perMinute) return false
    times.push(now)
    return true
  }
}
