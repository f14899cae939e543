import type { Registration } from '../../src/kernel/registration.ts'
import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'
import { chanceOf } from './chance.ts'
import { type Fate, fateOf, isRegistryScripted, stateWordOf } from './fate.ts'
import { inventRegistration } from './registration.ts'

/** The real state of a domain in the simulated world, whatever its servers answer. */
export type Truth = {
  readonly domain: string
  readonly label: string
  readonly tld: Tld
  readonly state: 'free' | 'registered' | 'reserved'
  /** Whether the TLD's name servers hand it over to its own. */
  readonly isDelegated: boolean
  /** Of a reserved name: whether the registry says so. Some just say that they have no such name. */
  readonly isReservationTold: boolean
  /** Free at a price of the registry's own. Its WHOIS says so; RDAP has no field for a price. */
  readonly isPremium: boolean
  /** What the name servers hold is no use: `lame` has servers that do not answer, `bogus` a signature that is wrong. */
  readonly ailment: 'lame' | 'bogus' | null
  /** What RDAP tells of it, as our service should read it; null unless it is registered. */
  readonly registration: Registration | null
  readonly fate: Fate
}

/** One in this many registered names has no name servers, without a state word in the name. */
const UNDELEGATED_ONE_IN = 64
/** Registered everywhere. */
const ALWAYS_TAKEN = new Set(['example', 'nic'])
/** Reserved under generic TLDs; the registry has no object for them. */
const RESERVED_LABELS = new Set(['www', 'rdds', 'whois'])
const NO_SINGLE_CHARACTERS = new Set(['com', 'net', 'org', 'info', 'biz'])

/** Cached, because several servers need the truth about one name, and benchmarks query thousands. */
const known = new Map<string, Truth>()
const MAX_CACHED_TRUTHS = 20_000

/**
 * The truth about a domain in the world of a seed: a label and one of the catalogue's TLDs, in lower case. Throws a
 * RangeError for anything else.
 */
export function truthOf(domain: string, seed = 1): Truth {
  const key = `${seed} ${domain}`
  const before = known.get(key)
  if (before) return before
  const truth = findOut(domain, seed)
  if (known.size >= MAX_CACHED_TRUTHS) known.clear()
  known.set(key, truth)
  return truth
}

function findOut(domain: string, seed: number): Truth {
  const [label = '', suffix = '', ...more] = domain.split('.')
  const tld = loadCatalogue().find(suffix)
  if (label === '' || tld === undefined || more.length > 0) throw new RangeError(`${domain} is not a domain here`)
  const chance = chanceOf(seed, 'truth', domain)
  const word = stateWordOf(label)
  const told = tld.lookup !== 'dns'
  const isRegistered = chance.fraction() < 0.5
  const isUnlucky = chance.below(UNDELEGATED_ONE_IN) === 0

  const isKeptBack =
    (tld.type === 'gTLD' && RESERVED_LABELS.has(label)) || (label.length === 1 && NO_SINGLE_CHARACTERS.has(suffix))
  const state = (): Truth['state'] => {
    if (isKeptBack) return 'reserved'
    if (ALWAYS_TAKEN.has(label)) return 'registered'
    if (word === 'free' || word === 'premium') return 'free'
    // Where nobody but the name servers can be asked, a reserved name is like any other that is not there.
    if (word === 'reserved') return told ? 'reserved' : 'free'
    return word !== undefined || isRegistered ? 'registered' : 'free'
  }
  const found = state()
  const isDelegated =
    found === 'registered' &&
    (!told || ALWAYS_TAKEN.has(label) || !(word === 'held' || isRegistryScripted(label) || (!word && isUnlucky)))
  const ailment = word === 'lame' || word === 'bogus' ? word : null
  return {
    domain,
    label,
    tld,
    state: found,
    isDelegated,
    isReservationTold: found === 'reserved' && !isKeptBack,
    isPremium: found === 'free' && word === 'premium',
    ailment,
    registration: found === 'registered' ? inventRegistration({ domain, isDelegated, word }, seed) : null,
    fate: fateOf(label),
  }
}
