import type { Registration } from '../../src/kernel/registration.ts'
import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'
import { chanceOf } from './chance.ts'
import { isRegistryScripted, outcomesFor, type ScriptedOutcomes, stateWordOf } from './scripted-outcomes.ts'
import { inventRegistration } from './registration.ts'

/** The real state of a domain in the simulated world, whatever its servers answer. */
export type Truth = {
  readonly domain: string
  readonly label: string
  readonly tld: Tld
  readonly state: 'free' | 'registered' | 'reserved'
  /** Whether the TLD's name servers refer to its own. */
  readonly isDelegated: boolean
  /** Whether the registry says that the name is reserved. If not, it answers "not found". */
  readonly isReservationPublished: boolean
  /** Free at a premium price. WHOIS says so; RDAP has no field for a price. */
  readonly isPremium: boolean
  /** Why its zone does not resolve: `lame` has name servers that do not answer, `bogus` an invalid signature. */
  readonly zoneFault: 'lame' | 'bogus' | null
  /** The registration data the service should return; null unless it is registered. */
  readonly registration: Registration | null
  /** How the servers answer for it. */
  readonly outcomes: ScriptedOutcomes
}

/** One in this many registered names has no name servers, without a state word in the name. */
const UNDELEGATED_ONE_IN = 64
/** Registered everywhere. */
const ALWAYS_TAKEN = new Set(['example', 'nic'])
/** Reserved under generic TLDs; the registry has no object for them. */
const RESERVED_LABELS = new Set(['www', 'rdds', 'whois'])
const NO_SINGLE_CHARACTERS = new Set(['com', 'net', 'org', 'info', 'biz'])

/** Cached, because several servers need the truth about one name, and benchmarks query thousands. */
const cache = new Map<string, Truth>()
const MAX_CACHED_TRUTHS = 20_000

/**
 * The truth about a domain in the world of a seed: a label and one of the catalogue's suffixes, in lower case. Throws a
 * RangeError for anything else.
 */
export function truthOf(domain: string, seed = 1): Truth {
  const key = `${seed} ${domain}`
  const cached = cache.get(key)
  if (cached) return cached
  const truth = decideTruth(domain, seed)
  if (cache.size >= MAX_CACHED_TRUTHS) cache.clear()
  cache.set(key, truth)
  return truth
}

function decideTruth(domain: string, seed: number): Truth {
  const [label = '', ...rest] = domain.split('.')
  const suffix = rest.join('.')
  const tld = loadCatalogue().find(suffix)
  if (label === '' || tld === undefined) throw new RangeError(`${domain} is not a domain here`)
  const chance = chanceOf(seed, 'truth', domain)
  const word = stateWordOf(label)
  const hasRegistry = tld.lookup !== 'dns'
  const isRegistered = chance.fraction() < 0.5
  const isUndelegated = chance.below(UNDELEGATED_ONE_IN) === 0

  const isReservedByPolicy =
    (tld.type === 'gTLD' && RESERVED_LABELS.has(label)) || (label.length === 1 && NO_SINGLE_CHARACTERS.has(suffix))
  const decideState = (): Truth['state'] => {
    if (isReservedByPolicy) return 'reserved'
    if (ALWAYS_TAKEN.has(label)) return 'registered'
    if (word === 'free' || word === 'premium') return 'free'
    // DNS cannot tell a reserved name from a free one.
    if (word === 'reserved') return hasRegistry ? 'reserved' : 'free'
    return word !== undefined || isRegistered ? 'registered' : 'free'
  }
  const state = decideState()
  const isDelegated =
    state === 'registered' &&
    (!hasRegistry ||
      ALWAYS_TAKEN.has(label) ||
      !(word === 'held' || isRegistryScripted(label) || (!word && isUndelegated)))
  const zoneFault = word === 'lame' || word === 'bogus' ? word : null
  return {
    domain,
    label,
    tld,
    state,
    isDelegated,
    isReservationPublished: state === 'reserved' && !isReservedByPolicy,
    isPremium: state === 'free' && word === 'premium',
    zoneFault,
    registration: state === 'registered' ? inventRegistration({ domain, isDelegated, word }, seed) : null,
    outcomes: outcomesFor(label),
  }
}
