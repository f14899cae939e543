import type * as z from 'zod'
import { createCache } from '../kernel/cache.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { ApiError, failureMessage, UpstreamError } from '../kernel/errors.ts'
import { gather } from '../kernel/gather.ts'
import { parseChoices } from '../kernel/input.ts'
import type { DomainName } from '../kernel/names.ts'
import { type AftermarketReport, DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS, type SourceId, SOURCES } from './contract.ts'
import type { Marketplace } from './marketplace.ts'
import { errorsOf, type Findings, ttlSecondsOf, listingsOf, outcomeOf, retryAfterOf, summaryOf } from './report.ts'

type Needs = {
  /** The configured marketplaces. */
  readonly marketplaces: readonly Marketplace[]
  /** Sources queried by default; others only if requested. */
  readonly asked: readonly SourceId[]
  readonly clock: Clock
}

export type AftermarketQuery = {
  readonly sources?: string | undefined
  readonly timeout?: number | undefined
  readonly currency?: 'USD' | 'EUR' | undefined
}

export type Aftermarket = ReturnType<typeof createAftermarket>

const DISCLOSURE = {
  paid: 'Some links to marketplaces are affiliate links: the operator of this service may earn a commission.',
  unpaid: 'Links lead to marketplaces; the operator of this service earns nothing from them.',
}

export function createAftermarket({ marketplaces, asked, clock }: Needs) {
  const cache = createCache<Findings>({ name: 'aftermarket listings', max: 10_000, clock })
  const flights = createCache<Findings>({ name: 'aftermarket lookups', max: 1, clock })

  async function look(domain: DomainName, sources: readonly SourceId[], timeoutMs: number, signal: AbortSignal) {
    const tasks = sources.map((source) => ({
      source,
      async run(own: AbortSignal) {
        const marketplace = marketplaces.find(({ id }) => id === source)
        if (!marketplace) throw new UpstreamError('not_configured', `${source} is not configured on this server`)
        return { marketplace, offer: await marketplace.find(domain, own) }
      },
    }))
    const { answers, failures } = await gather(tasks, { timeoutMs, clock, signal })
    return {
      answers: answers.flatMap(({ source, value: { marketplace, offer }, elapsedMs }) => {
        if (offer === undefined) return []
        const { platform } = marketplace
        return [{ source, platform, page: marketplace.pageOf(domain), offer, responseMs: Math.round(elapsedMs) }]
      }),
      failures: failures.map(({ source, error }) => ({
        source,
        code: error.failure,
        message: failureMessage(source, error),
        retryAtMs: error.retryAfterMs === undefined ? null : clock.monotonic() + error.retryAfterMs,
      })),
      askedAt: timestamp(clock),
    }
  }

  /** A timeout caused by a short deadline of one caller is not cached for others. */
  async function find(domain: DomainName, sources: readonly SourceId[], timeoutMs: number, signal: AbortSignal) {
    const key = `${domain} ${sources.toSorted().join()}`
    const known = cache.get(key)
    if (known) return known
    const load = async (own: AbortSignal) => ({ value: await look(domain, sources, timeoutMs, own), ttlMs: 0 })
    const { value } = await flights.getOrLoad(`${key} ${timeoutMs}`, load, { signal })
    const isHasty = timeoutMs < DEFAULT_TIMEOUT_MS && value.failures.some(({ code }) => code === 'timeout')
    const ttlMs = isHasty ? 0 : ttlSecondsOf(value) * 1000
    return cache.getOrLoad(key, async () => ({ value, ttlMs }), { refresh: true })
  }

  return {
    async find(
      domain: DomainName,
      query: AftermarketQuery,
      signal: AbortSignal,
    ): Promise<z.input<typeof AftermarketReport>> {
      const began = clock.monotonic()
      const sources = query.sources === undefined ? asked : parseChoices('sources', query.sources, SOURCES)
      const { currency = 'USD' } = query
      const timeoutMs = Math.min(query.timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS)
      const { value, cached, expiresInMs } = await find(domain, sources, timeoutMs, signal)
      const errors = errorsOf(value)
      const outcome = outcomeOf(value)
      if (outcome === 'unavailable') throw allFailed(errors, retryAfterOf(value, clock.monotonic(), expiresInMs))
      const summary = summaryOf(value, new Set([...asked, ...sources]).size, currency)
      const isPaid = value.answers.some(({ page }) => page.affiliateUrl !== page.url)
      return {
        ...(outcome === 'not_configured' && { error: outcome, message: NOT_CONFIGURED }),
        domain,
        timestamp: timestamp(clock),
        listed: summary.listedCount > 0,
        summary,
        listings: listingsOf(value, currency),
        errors,
        meta: {
          totalMs: Math.round(clock.monotonic() - began),
          affiliateDisclosure: isPaid ? DISCLOSURE.paid : DISCLOSURE.unpaid,
          cacheHit: cached,
          cacheTTL: Math.ceil(expiresInMs / 1000),
        },
      }
    },
    get size() {
      return cache.size
    },
  }
}

const NOT_CONFIGURED =
  'None of the requested sources is configured on this server. `sources=dns_for_sale,name_servers` needs no configuration.'

function allFailed(errors: ReturnType<typeof errorsOf>, retryAfterMs: number | null): ApiError {
  const advice = errors.some(({ retryable }) => retryable) ? ' Try again later.' : ''
  const reasons = errors.map(({ source, code }) => `${source}: ${code}`).join(', ')
  return new ApiError('service_unavailable', `All marketplaces failed; \`errors\` says why.${advice}`, {
    cause: new UpstreamError('unavailable', reasons),
    extra: { errors },
    ...(retryAfterMs !== null && { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } }),
  })
}
