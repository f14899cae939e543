import type { Clock } from '../kernel/clock.ts'
import type { Context, Route } from '../kernel/endpoint.ts'
import { parseInput } from '../kernel/input.ts'
import { withTimeout } from '../kernel/timeout.ts'
import { completeAvailability } from './availability.ts'
import { FOR_DOMAINS } from './contract.ts'
import { type AvailabilityData, type CheckResult, type Lookup, LOOKUPS, type Parts, readableLabel } from './lookups.ts'
import { offPart, type Part, partOfError, PART_NAMES, type PartName, type Source } from './part.ts'
import type { Subject } from './subject.ts'

/** A part, or the result of one domain before the whole part is known. */
export type Piece =
  | { readonly part: 'availability'; readonly result: CheckResult }
  | ({ readonly part: PartName } & Part)

export type Dossiers = {
  /** Looks up all parts at once. Reports each piece as soon as it is known. Rejects only if the caller aborts. */
  collect(subject: Subject, options: Options): Promise<Parts>
}

type Options = {
  readonly wanted: ReadonlySet<PartName>
  readonly timeoutMs: number
  readonly context: Context
  readonly onPiece: (piece: Piece) => void
}

type Needs = { readonly routeOf: (endpoint: string) => Route; readonly clock: Clock }

/** The whole dossier is ready this long before its deadline, so that the answer is not late. */
const MARGIN_MS = 100
/** Links to registrars are given for this many domains. */
const MAX_REGISTER_DOMAINS = 20

const ETHEREUM: Source = { who: 'Ethereum', settings: 'ONOMA_ETH_RPC_URLS' }

type Ask = <Answer>(endpoint: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>

export function createDossiers({ routeOf, clock }: Needs): Dossiers {
  /** Checks all domains; each result is a piece, and is put into `found`. */
  const findAvailability = async (
    { label, tlds }: Subject,
    context: Context,
    { found, onPiece }: Pick<Options, 'onPiece'> & { readonly found: Map<string, CheckResult> },
  ): Promise<Part<AvailabilityData>> => {
    const { endpoint, stream } = routeOf('checkBulk')
    const domains = tlds.map((tld) => `${label}.${tld}`)
    let summary: AvailabilityData['summary'] | undefined
    for await (const line of stream!(parseInput(endpoint, { domains }), context)) {
      const { summary: last, ...result } = line as CheckResult & { summary?: AvailabilityData['summary'] }
      if (last) summary = last
      // A domain that cannot exist under its TLD has an error and no status.
      else if (result.status !== undefined) {
        found.set(result.domain, result)
        onPiece({ part: 'availability', result })
      }
    }
    const results = domains.flatMap((domain) => found.get(domain) ?? [])
    return { state: 'known', data: { results, summary: summary! } }
  }

  /** Where to register the domains that are available. */
  const findRegistrars = async ({ domain }: Subject, availability: Part<AvailabilityData>, ask: Ask): Promise<Part> => {
    if (availability.state !== 'known') return availability
    const { results } = availability.data
    const considered = domain === null ? results : results.filter((result) => result.domain === domain)
    const available = considered.filter((result) => result.available).slice(0, MAX_REGISTER_DOMAINS)
    if (available.length === 0) return { state: 'nothing', message: 'None of the domains is known to be available.' }
    const links = available.map((result) => ask<object>('registrationLinks', { domain: result.domain }))
    return { state: 'known', data: await Promise.all(links) }
  }

  /** Whether the ENS name is free; its expiry or its premium, where the node tells. */
  const findEns = async (subject: Subject, ask: Ask): Promise<Part> => {
    const name = readableLabel(subject)
    const optional = (endpoint: string) => ask<{ state?: string }>(endpoint, { name }).catch(() => undefined)
    const [check, premium, expiry] = await Promise.all([
      ask<{ available: boolean }>('checkEns', { name }),
      optional('ensPremium'),
      optional('ensExpiry'),
    ])
    const hasPremium = check.available && premium?.state === 'premium'
    return {
      state: 'known',
      data: { ...check, ...(hasPremium && { premium }), ...(!check.available && expiry && { expiry }) },
    }
  }

  const findSingle = async (lookup: Lookup, subject: Subject, ask: Ask): Promise<Part> => {
    const data = await ask<never>(lookup.endpoint, lookup.input(subject))
    if (lookup.isOff?.(data)) return offPart(lookup)
    return lookup.isNothing?.(data) ? { state: 'nothing' } : { state: 'known', data }
  }

  return {
    async collect(subject, { wanted, timeoutMs, context, onPiece }) {
      const startedAt = clock.monotonic()
      const parts: { [Name in PartName]?: Part } = {}
      const within = async <Data>(source: Source, find: (own: Context) => Promise<Part<Data>>): Promise<Part<Data>> => {
        try {
          const leftMs = timeoutMs - (clock.monotonic() - startedAt)
          return await withTimeout({ who: source.who, timeoutMs: leftMs, signal: context.signal }, (signal) =>
            find({ ...contextOf(context), signal, timeoutMs: leftMs - MARGIN_MS }),
          )
        } catch (error) {
          context.signal.throwIfAborted()
          return partOfError(source, error)
        }
      }
      const report = (part: PartName, found: Part): void => {
        parts[part] = found
        onPiece({ part, ...found })
      }
      const askIn =
        (own: Context): Ask =>
        async <Answer>(name: string, input: Readonly<Record<string, unknown>>) => {
          const { endpoint, run } = routeOf(name)
          return (await run(parseInput(endpoint, input), own)) as Answer
        }
      const availability = async (): Promise<void> => {
        if (!wanted.has('availability') && !wanted.has('register')) return
        const results = new Map<string, CheckResult>()
        const pass: Options['onPiece'] = wanted.has('availability') ? onPiece : () => {}
        const whole = await within({ who: 'The registry' }, (own) =>
          findAvailability(subject, own, { found: results, onPiece: pass }),
        )
        const found = whole.state === 'unknown' && whole.reason === 'timeout' ? lateAvailability(results, pass) : whole
        if (wanted.has('availability')) report('availability', found)
        if (!wanted.has('register')) return
        report(
          'register',
          await within({ who: 'The list of registrars' }, (own) => findRegistrars(subject, found, askIn(own))),
        )
      }
      /** A check that is late loses nothing that was known: the other domains are unknown. */
      const lateAvailability = (found: Map<string, CheckResult>, pass: Options['onPiece']): Part<AvailabilityData> => {
        const responseMs = Math.round(clock.monotonic() - startedAt)
        const data = completeAvailability(subject, found, { clock, responseMs })
        for (const result of data.results) if (!found.has(result.domain)) pass({ part: 'availability', result })
        return { state: 'known', data }
      }
      const ens = async (): Promise<void> => {
        if (wanted.has('ens')) report('ens', await within(ETHEREUM, (own) => findEns(subject, askIn(own))))
      }
      const singles = Object.entries(LOOKUPS)
        .filter(([part]) => wanted.has(part as PartName))
        .filter(([part]) => subject.domain !== null || !FOR_DOMAINS.has(part as PartName))
        .map(async ([part, lookup]) =>
          report(part as PartName, await within(lookup, (own) => findSingle(lookup, subject, askIn(own)))),
        )
      await Promise.all([availability(), ens(), ...singles])
      return Object.fromEntries(PART_NAMES.flatMap((name) => (parts[name] ? [[name, parts[name]]] : [])))
    },
  }
}

/** A dossier counts as one request, whatever its parts would count. */
const contextOf = ({ requestId, bearer, client }: Context): Omit<Context, 'signal'> => ({
  requestId,
  bearer,
  client,
  spend: () => ({ allowed: true, remaining: 0, seconds: 0 }),
})
