import { setImmediate as nextTurn } from 'node:timers/promises'
import type * as z from 'zod'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { type DomainName, splitDomain } from '../kernel/names.ts'
import type { Appraisal, Appraiser } from './appraiser.ts'
import { comparablesOf } from './comparables.ts'
import type { Valuation, valueDomains } from './contract.ts'
import { explain } from './explanation.ts'
import type { Name } from './sight.ts'
import type { SalesBook } from './sales-book.ts'

type Needs = {
  /** Loaded on first use: loading the model takes time, and most commands do not need it. */
  readonly appraiser: () => Appraiser
  readonly sales: () => SalesBook
  /** Supported TLDs. */
  readonly suffixes: ReadonlySet<string>
  readonly clock: Clock
}

/** Yields to the event loop after this many names: a long list would block other requests. */
const MAX_NAMES_PER_TURN = 50

export type Valuations = ReturnType<typeof createValuations>

export function createValuations({ appraiser, sales, suffixes, clock }: Needs) {
  const nameOf = (domain: DomainName): Name => {
    const split = splitDomain(domain, suffixes)
    if (split.kind !== 'registrable') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
    return { label: split.label, tld: split.suffix }
  }
  const estimateOf = ({ low, mid, high, confidence, factors }: Appraisal) => ({
    estimate: { low, mid, high, currency: 'USD' as const },
    confidence,
    factors: [...factors],
  })

  return {
    /** Throws if a domain cannot be valued or the model cannot be loaded. Called before payment is requested. */
    check(domains: readonly DomainName[]): void {
      for (const domain of domains) nameOf(domain)
      try {
        appraiser()
      } catch (cause) {
        throw new ApiError('service_unavailable', 'The valuation model cannot be loaded.', { cause })
      }
    },
    quick(domain: DomainName): z.input<typeof Valuation> {
      const appraisal = appraiser().appraise(nameOf(domain))
      return { domain, tier: 'quick', ...estimateOf(appraisal), timestamp: timestamp(clock) }
    },
    full(domain: DomainName): z.input<typeof Valuation> {
      const name = nameOf(domain)
      const appraisal = appraiser().appraise(name)
      const markets = appraiser().markets(name, new Date(clock.now()).getUTCFullYear())
      const { category, ...checkable } = appraisal.keyFactors
      const likeness = { ...name, words: appraisal.segments, category }
      const comparables = comparablesOf(likeness, sales().like(likeness))
      return {
        domain,
        tier: 'full',
        ...estimateOf(appraisal),
        timestamp: timestamp(clock),
        explanation: explain({ domain, appraisal, markets, comparables }),
        comparables: comparables.map(({ domain: sold, price, date, source }) => ({
          domain: sold,
          sale_price: price,
          sale_date: date,
          source,
        })),
        key_factors: { ...checkable, ...(category !== null && { category }) },
      }
    },
    async many(domains: readonly DomainName[], signal: AbortSignal): Promise<z.input<typeof valueDomains.output>> {
      const valuations = []
      for (const domain of domains) {
        valuations.push({ domain, ...estimateOf(appraiser().appraise(nameOf(domain))) })
        if (valuations.length % MAX_NAMES_PER_TURN === 0) await nextTurn(undefined, { signal })
      }
      return { valuations, total: valuations.length, timestamp: timestamp(clock) }
    },
  }
}
