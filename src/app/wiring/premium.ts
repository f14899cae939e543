import type { Availability, CheckOutcome } from '../../availability/service.ts'
import type { Quotes } from '../../registrars/quotes.ts'

/**
 * Verdicts in which an available name is premium also if the operator's registrar says so. The registrar is asked about
 * a single name only: it allows a few requests a minute, which a list would use up.
 */
export function withPremium(availability: Availability, quotes: Quotes): Availability {
  const known = (outcome: CheckOutcome) => mark(outcome, quotes.known(outcome.target.domain)?.premium)
  async function ask(outcome: CheckOutcome, signal: AbortSignal): Promise<CheckOutcome> {
    const { verdict, target } = outcome
    if (verdict.state !== 'available' || verdict.premium) return outcome
    return mark(outcome, (await quotes.find(target.domain, signal))?.premium)
  }
  return {
    check: async (target, options) => known(await availability.check(target, options)),
    record: async (target, options) => known(await availability.record(target, options)),
    async *checkAll(targets, options) {
      const isSingle = Array.isArray(targets) && targets.length === 1
      for await (const outcome of availability.checkAll(targets, options))
        yield isSingle ? await ask(outcome, options.signal) : known(outcome)
    },
    get size() {
      return availability.size
    },
  }
}

const mark = (outcome: CheckOutcome, isPremium: boolean | undefined): CheckOutcome =>
  isPremium && outcome.verdict.state === 'available'
    ? { ...outcome, verdict: { ...outcome.verdict, premium: true } }
    : outcome
