/** What is asked most: is a name free, and what does it say of itself. Both are kept for a while. */
import { type Cached, createCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'
import { moneyToNumber } from '../../kernel/money.ts'
import type { Chain, Hex } from '../chain/chain.ts'
import type { Contracts } from '../chain/deployments.ts'
import { isAvailable } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { hashesOf } from '../chain/namehash.ts'
import { premiumAt } from './premium.ts'
import { checkPrice, type EthUsd, type Rent, yearlyUsd, yearsToSeconds } from '../chain/pricing.ts'
import {
  askTogether,
  type Question,
  rateQuestion,
  rentQuestion,
  type Standing,
  standingQuestion,
} from '../chain/calls.ts'
import { type RecordsReading, recordsQuestion } from './records.ts'

type Needs = { readonly chain: Chain; readonly contracts: Contracts; readonly clock: Clock }

type Availability = { readonly standing: Standing; readonly rent: Rent; readonly rate: EthUsd | undefined }

/** Null where nobody holds the name. */
type Metadata = { readonly standing: Standing; readonly reading: RecordsReading } | null

export type LookupOptions = { readonly refresh: boolean; readonly signal: AbortSignal }

/** A free name may be taken in the next block, and its premium falls with every one. */
const FREE_MS = 12_000
const TAKEN_MS = 30_000
const METADATA_MS = 60_000
const NAMES_KEPT = 10_000
/** Each name of a list is one, though all of them are one question to the node. */
const MAX_CONCURRENT_LOADS = 50_000

const NOBODY: Hex = `0x${'00'.repeat(20)}`
const METADATA_RECORDS = recordsQuestion(['avatar', 'url', 'description', 'com.twitter', 'com.github', 'email'])

export function createLookups({ chain, contracts, clock }: Needs) {
  const availability = createCache<Availability>({ name: 'ENS names', max: NAMES_KEPT, clock })
  const metadata = createCache<Metadata>({
    name: 'ENS names',
    max: NAMES_KEPT,
    maxConcurrentLoads: MAX_CONCURRENT_LOADS,
    clock,
  })

  const loadAvailability = async (name: EnsName, signal: AbortSignal) => {
    const year = rentQuestion(contracts, contracts.registersWith, name, yearsToSeconds(1))
    const questions = [standingQuestion(contracts, name), year, rateQuestion(contracts)] as const
    const [standing, rent, rate] = await askTogether(chain, questions, signal)
    return { value: { standing, rent, rate }, ttlMs: isAvailable(standing.tenure) ? FREE_MS : TAKEN_MS }
  }

  const loadMetadata = async (names: readonly EnsName[], signal?: AbortSignal): Promise<Metadata[]> => {
    const questions = names.map((name) => metadataQuestion(contracts, name))
    return askTogether(chain, questions, signal)
  }

  return {
    sizes: () => ({ availability: availability.size, metadata: metadata.size }),

    async check(name: EnsName, { refresh, signal }: LookupOptions) {
      const began = clock.monotonic()
      const found = await availability.getOrLoad(name, (own) => loadAvailability(name, own), { refresh, signal })
      const { standing } = found.value
      const available = isAvailable(standing.tenure)
      return {
        name: withEth(name),
        available,
        ...(available && pricesOf(name, found.value)),
        ...(!available && { owner: standing.owner ?? NOBODY }),
        ...(!available && standing.resolver && { resolver: standing.resolver }),
        ...freshness(found, clock, began),
      }
    },

    /** Null for a name nobody holds. */
    async metadata(name: EnsName, { refresh, signal }: LookupOptions) {
      const began = clock.monotonic()
      const load = async (own: AbortSignal) => keep((await loadMetadata([name], own))[0]!)
      const found = await metadata.getOrLoad(name, load, { refresh, signal })
      return metadataOf(name, found, clock, began)
    },

    /** Those that are not known yet in one round trip, whoever else asks for some of them meanwhile. */
    async metadataOfAll(names: readonly EnsName[], { refresh, signal }: LookupOptions) {
      const began = clock.monotonic()
      // Looked up once: what is known now may be too old a moment later.
      const known = names.map((name) => (refresh ? undefined : metadata.get(name)))
      const unknown = names.filter((_, at) => known[at] === undefined)
      let loading: Promise<Metadata[]> | undefined
      const load = async (name: EnsName) => keep((await (loading ??= loadMetadata(unknown)))[unknown.indexOf(name)]!)
      const found = await Promise.all(
        names.map(
          async (name, at) => known[at] ?? metadata.getOrLoad(name, () => load(name), { refresh: true, signal }),
        ),
      )
      return names.map((name, at) => metadataOf(name, found[at]!, clock, began))
    },
  }
}

/** The annual price and, for as long as there is one, the premium on top of it. */
function pricesOf(name: EnsName, { standing, rent, rate }: Availability) {
  const premiumUsd = () => moneyToNumber(premiumAt(Number(standing.expires), standing.now))
  return {
    registrationPrice: checkPrice(rent.base, rate, yearlyUsd(name)),
    ...(rent.premium > 0n && { premiumPrice: checkPrice(rent.premium, rate, premiumUsd()) }),
  }
}

const keep = (value: Metadata) => ({ value, ttlMs: value === null ? FREE_MS : METADATA_MS })

function metadataQuestion(contracts: Contracts, name: EnsName): Question<Metadata> {
  const hashes = hashesOf(name)
  const standing = standingQuestion(contracts, name, hashes)
  return {
    calls: [...standing.calls, METADATA_RECORDS.call(contracts.universalResolver, name, hashes.node)],
    read(returned, block) {
      const known = standing.read(returned.slice(0, -1), block)
      return isAvailable(known.tenure) ? null : { standing: known, reading: METADATA_RECORDS.read(returned.at(-1)!) }
    },
  }
}

function metadataOf(name: EnsName, found: Cached<Metadata>, clock: Clock, began: number) {
  if (found.value === null) return null
  const { standing, reading } = found.value
  const { address = '', text = {}, contenthash = '' } = reading.kind === 'records' ? reading.records : {}
  return {
    name: withEth(name),
    owner: standing.owner ?? NOBODY,
    resolver: standing.resolver ?? '',
    address,
    records: {
      avatar: text.avatar ?? '',
      url: text.url ?? '',
      description: text.description ?? '',
      twitter: text['com.twitter'] ?? '',
      github: text['com.github'] ?? '',
      email: text.email ?? '',
      contenthash,
    },
    ...(reading.kind === 'offchain' && { offchain: true as const }),
    ...freshness(found, clock, began),
  }
}

const freshness = ({ cached, storedAt }: Cached<unknown>, clock: Clock, began: number) => ({
  responseMs: Math.round(clock.monotonic() - began),
  source: cached ? ('rpc+cache' as const) : ('rpc' as const),
  checkedAt: new Date(storedAt).toISOString(),
})
