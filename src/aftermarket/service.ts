import type { z } from 'zod'
import { createCache } from '../kernel/cache.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { ApiError, sayFailure, UpstreamError } from '../kernel/errors.ts'
import { gather } from '../kernel/gather.ts'
import { readChoices } from '../kernel/input.ts'
import type { DomainName } from '../kernel/names.ts'
import { type AftermarketReport, DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS, type SourceId, SOURCES } from './contract.ts'
import type { Marketplace } from './marketplace.ts'
import { errorsOf, type Findings, freshFor, listingsOf, outcomeOf, retryAfterOf, summaryOf } from './report.ts'

type Needs = {
  /** Those that are set up. */
  readonly marketplaces: readonly Marketplace[]
  /** Those that are asked when nobody says which; the others only by name. */
  readonly asked: readonly SourceId[]
  readonly clock: Clock
}

export type Question = {
  readonly sources?: string | undefined
  readonly timeout?: number | undefined
  readonly currency?: 'USD' | 'EUR' | undefined
}

export type Aftermarket = ReturnType<typeof createAftermarket>

const DISCLOSURE = {
  paid: 'Some links lead to marketplaces by an affiliate link: the operator of this service may earn a commission.',
  unpaid: 'Links lead to marketplaces; this service earns nothing by them.',
}

export function createAftermarket({ marketplaces, asked, clock }: Needs) {
  const cache = createCache<Findings>({ name: 'aftermarket listings', max: 10_000, clock })
  const flights = createCache<Findings>({ name: 'aftermarket questions', max: 1, clock })

  async function look(domain: DomainName, sources: readonly SourceId[], deadlineMs: number, signal: AbortSignal) {
    const tasks = sources.map((source) => ({
      source,
      async ask(own: AbortSignal) {
        const marketplace = marketplaces.find(({ id }) => id === source)
        if (!marketplace) throw new UpstreamError('not_configured', `${source} is not set up at this service`)
        return { marketplace, offer: await marketplace.find(domain, own) }
      },
    }))
    const { answers, failures } = await gather(tasks, { deadlineMs, clock, signal })
    return {
      answers: answers.map(({ source, value: { marketplace, offer }, elapsedMs }) => ({
        source,
        platform: marketplace.platform,
        page: marketplace.pageOf(domain),
        offer,
        responseMs: Math.round(elapsedMs),
      })),
      failures: failures.map(({ source, error }) => ({
        source,
        code: error.failure,
        message: sayFailure(source, error),
        retryAtMs: error.retryAfterMs === undefined ? null : clock.monotonic() + error.retryAfterMs,
      })),
      askedAt: timestamp(clock),
    }
  }

  /** Who gives the sources less time than is usual gets their answer if they make it, but does not spoil that of others. */
  async function find(domain: DomainName, sources: readonly SourceId[], deadlineMs: number, signal: AbortSignal) {
    const key = `${domain} ${sources.toSorted().join()}`
    const known = cache.get(key)
    if (known) return known
    const load = async (own: AbortSignal) => ({ value: await look(domain, sources, deadlineMs, own), ttlMs: 0 })
    const { value } = await flights.through(`${key} ${deadlineMs}`, load, { signal })
    const isHasty = deadlineMs < DEFAULT_TIMEOUT_MS && value.failures.some(({ code }) => code === 'timeout')
    const ttlMs = isHasty ? 0 : freshFor(value) * 1000
    return cache.through(key, async () => ({ value, ttlMs }), { refresh: true })
  }

  return {
    async find(
      domain: DomainName,
      question: Question,
      signal: AbortSignal,
    ): Promise<z.input<typeof AftermarketReport>> {
      const began = clock.monotonic()
      const sources = question.sources === undefined ? asked : readChoices('sources', question.sources, SOURCES)
      const { currency = 'USD' } = question
      const deadlineMs = Math.min(question.timeout ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS)
      const { value, cached, expiresInMs } = await find(domain, sources, deadlineMs, signal)
      const errors = errorsOf(value)
      const outcome = outcomeOf(value)
      if (outcome === 'unavailable') throw allFailed(errors, retryAfterOf(value, clock.monotonic(), expiresInMs))
      const summary = summaryOf(value, new Set([...asked, ...sources]).size, currency)
      const isPaid = value.answers.some(({ page }) => page.affiliateUrl !== page.url)
      return {
        ...(outcome === 'not_configured' && { error: outcome, message: NOT_SET_UP }),
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

const NOT_SET_UP =
  'None of the marketplaces asked for is set up at this service. `sources=dns_for_sale` needs no set-up.'

function allFailed(errors: ReturnType<typeof errorsOf>, retryAfterMs: number | null): ApiError {
  const advice = errors.some(({ retryable }) => retryable) ? ' Try again later.' : ''
  const why = errors.map(({ source, code }) => `${source}: ${code}`).join(', ')
  return new ApiError('service_unavailable', `No marketplace gave an answer; \`errors\` says why.${advice}`, {
    cause: new UpstreamError('unavailable', why),
    extra: { errors },
    ...(retryAfterMs !== null && { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) } }),
  })
}
