import type { Random } from '../../src/kernel/random.ts'
import type { Registration } from '../../src/kernel/registration.ts'
import { chanceOf, oneOf } from './chance.ts'
import type { StateWord } from './scripted-outcomes.ts'
import { COUNTRIES, FAMILY_NAMES, GIVEN_NAMES, HOSTERS, ORGANIZATIONS, REGISTRARS } from './people.ts'

type Named = { readonly domain: string; readonly isDelegated: boolean; readonly word: StateWord | undefined }

const DAY_MS = 86_400_000
const FIRST_CREATED_MS = Date.UTC(1996, 2, 1)
const LAST_CREATED_MS = Date.UTC(2026, 9, 1)

/** The registration data of a registered name. All people and companies are invented. */
export function inventRegistration({ domain, isDelegated, word }: Named, seed: number): Registration {
  const chance = chanceOf(seed, 'registration', domain)
  const created = randomTime(FIRST_CREATED_MS, LAST_CREATED_MS, chance)
  const updated = randomTime(created, LAST_CREATED_MS + 30 * DAY_MS, chance)
  const expires = anniversary(created, 2027 + chance.below(9))
  const isSigned = chance.below(4) === 0
  const isRedacted = chance.below(2) === 0
  const country = oneOf(COUNTRIES, chance)
  const organization = oneOf(ORGANIZATIONS, chance)
  const name = `${oneOf(GIVEN_NAMES, chance)} ${oneOf(FAMILY_NAMES, chance)}`
  const isPerson = chance.below(3) === 0
  return {
    registrar: oneOf(REGISTRARS, chance),
    dates: { created: formatTime(created), updated: formatTime(updated), expires: formatTime(expires) },
    status: statusOf({ isDelegated, word }, chance),
    nameservers: isDelegated || word === 'held' ? nameserversOf(domain, chance) : [],
    dnssec: { delegationSigned: isDelegated && (isSigned || word === 'signed' || word === 'bogus') },
    registrant: isRedacted ? { country } : { name, ...(!isPerson && { organization }), country },
  }
}

const LOCKS = ['clientDeleteProhibited', 'clientRenewProhibited', 'clientTransferProhibited', 'clientUpdateProhibited']
const REASONS_WITHOUT_SERVERS = [['clientHold'], ['serverHold'], ['redemptionPeriod', 'pendingDelete'], ['inactive']]

function statusOf({ isDelegated, word }: Pick<Named, 'isDelegated' | 'word'>, chance: Random): readonly string[] {
  const locks = LOCKS.filter(() => chance.below(3) === 0)
  const reason = word === 'held' ? ['clientHold'] : oneOf(REASONS_WITHOUT_SERVERS, chance)
  const all = isDelegated ? locks : [...locks, ...reason]
  return all.length === 0 ? ['ok'] : all.toSorted()
}

/** Marketplaces that domains with these words in their names are parked at. */
const MARKETPLACES = { sedo: 'sedoparking.com', afternic: 'afternic.com' }

/** Most names use a hoster; some have their own name servers, which need glue records. */
function nameserversOf(domain: string, chance: Random): readonly string[] {
  const market = Object.entries(MARKETPLACES).find(([word]) => domain.includes(`-${word}-`))?.[1]
  if (market !== undefined) return [1, 2].map((at) => `ns${at}.${market}`)
  const host = chance.below(8) === 0 ? domain : `${oneOf(HOSTERS, chance)}.example`
  return Array.from({ length: 2 + chance.below(3) }, (_, at) => `ns${at + 1}.${host}`)
}

const randomTime = (from: number, until: number, chance: Random): number =>
  from + Math.floor((chance.fraction() * (until - from)) / 1000) * 1000

function anniversary(timeMs: number, year: number): number {
  const date = new Date(timeMs)
  return date.setUTCFullYear(year)
}

const formatTime = (timeMs: number): string => new Date(timeMs).toISOString().replace('.000Z', 'Z')
