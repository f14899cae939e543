/** Cached lookups: whether a name is available, and its metadata. */
import { type Cached, createCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'
import { once } from '../../kernel/once.ts'
import { moneyToNumber } from '../../kernel/money.ts'
import type { Hex } from '../../kernel/hex.ts'
import type { Chain } from '../chain/chain.ts'
import type { Contracts } from '../chain/deployments.ts'
import { isRegistrable } from '../chain/expiry.ts'
import { type EnsName, withEth } from '../contract/names.ts'
import { hashName } from '../chain/namehash.ts'
import { premiumAt } from './premium.ts'
import { formatCheckPrice, type EthUsd, type Rent, yearlyUsd, yearsToSeconds } from '../chain/pricing.ts'
import {
  readContracts,
  type ContractRead,
  ethUsdRead,
  rentRead,
  type NameState,
  nameStateRead,
} from '../chain/contract-reads.ts'
import { type RecordsResult, createRecordsRead } from './records.ts'

type Needs = { readonly chain: Chain; readonly contracts: Contracts; readonly clock: Clock }

type Availability = { readonly state: NameState; readonly rent: Rent; readonly rate: EthUsd | undefined }

/** Null if the name is not registered. */
type Metadata = { readonly state: NameState; readonly recordsResult: RecordsResult } | null

export type LookupOptions = { readonly refresh: boolean; readonly signal: AbortSignal }

/** About one block: an available name may be registered in the next block, and its premium falls with every block. */
const AVAILABLE_TTL_MS = 12_000
const REGISTERED_TTL_MS = 30_000
const METADATA_TTL_MS = 60_000
const MAX_CACHED_NAMES = 10_000
/** Every name of a list counts as one load, even though all are read in one request. */
const MAX_CONCURRENT_LOADS = 50_000

const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`
const metadataRecords = once(() =>
  createRecordsRead(['avatar', 'url', 'description', 'com.twitter', 'com.github', 'email']),
)

export function createLookups({ chain, contracts, clock }: Needs) {
  const availability = createCache<Availability>({ name: 'ENS names', max: MAX_CACHED_NAMES, clock })
  const metadata = createCache<Metadata>({
    name: 'ENS names',
    max: MAX_CACHED_NAMES,
    maxConcurrentLoads: MAX_CONCURRENT_LOADS,
    clock,
  })

  const loadAvailability = async (name: EnsName, signal: AbortSignal) => {
    const year = rentRead(contracts, contracts.registersWith, name, yearsToSeconds(1))
    const reads = [nameStateRead(contracts, name), year, ethUsdRead(contracts)] as const
    const [state, rent, rate] = await readContracts(chain, reads, signal)
    return { value: { state, rent, rate }, ttlMs: isRegistrable(state.phase) ? AVAILABLE_TTL_MS : REGISTERED_TTL_MS }
  }

  const loadMetadata = async (names: readonly EnsName[], signal?: AbortSignal): Promise<Metadata[]> => {
    const reads = names.map((name) => metadataRead(contracts, name))
    return readContracts(chain, reads, signal)
  }

  return {
    sizes: () => ({ availability: availability.size, metadata: metadata.size }),

    async check(name: EnsName, { refresh, signal }: LookupOptions) {
      const began = clock.monotonic()
      const found = await availability.getOrLoad(name, (own) => loadAvailability(name, own), { refresh, signal })
      const { state } = found.value
      const available = isRegistrable(state.phase)
      return {
        name: withEth(name),
        available,
        ...(available && checkPrices(name, found.value)),
        ...(!available && { owner: state.owner ?? ZERO_ADDRESS }),
        ...(!available && state.resolver && { resolver: state.resolver }),
        ...freshness(found, clock, began),
      }
    },

    /** Null if the name is not registered. */
    async metadata(name: EnsName, { refresh, signal }: LookupOptions) {
      const began = clock.monotonic()
      const load = async (own: AbortSignal) => withTtl((await loadMetadata([name], own))[0]!)
      const found = await metadata.getOrLoad(name, load, { refresh, signal })
      return metadataOf(name, found, clock, began)
    },

    /** Loads all names that are not cached in one round trip, even if another request is loading some of them. */
    async metadataOfAll(names: readonly EnsName[], { refresh, signal }: LookupOptions) {
      const began = clock.monotonic()
      // Looked up once: an entry that is fresh now may expire before the next line.
      const known = names.map((name) => (refresh ? undefined : metadata.get(name)))
      const unknown = names.filter((_, at) => known[at] === undefined)
      let loading: Promise<Metadata[]> | undefined
      const load = async (name: EnsName) => withTtl((await (loading ??= loadMetadata(unknown)))[unknown.indexOf(name)]!)
      const found = await Promise.all(
        names.map(
          async (name, at) => known[at] ?? metadata.getOrLoad(name, () => load(name), { refresh: true, signal }),
        ),
      )
      return names.map((name, at) => metadataOf(name, found[at]!, clock, began))
    },
  }
}

/** The annual price and, if one applies, the premium. */
function checkPrices(name: EnsName, { state, rent, rate }: Availability) {
  const premiumUsd = () => moneyToNumber(premiumAt(Number(state.expires), state.now))
  return {
    registrationPrice: formatCheckPrice(rent.base, rate, yearlyUsd(name)),
    ...(rent.premium > 0n && { premiumPrice: formatCheckPrice(rent.premium, rate, premiumUsd()) }),
  }
}

const withTtl = (value: Metadata) => ({ value, ttlMs: value === null ? AVAILABLE_TTL_MS : METADATA_TTL_MS })

function metadataRead(contracts: Contracts, name: EnsName): ContractRead<Metadata> {
  const hashes = hashName(name)
  const state = nameStateRead(contracts, name, hashes)
  return {
    calls: [...state.calls, metadataRecords().call(contracts.universalResolver, name, hashes.node)],
    decode(returned, block) {
      const known = state.decode(returned.slice(0, -1), block)
      return isRegistrable(known.phase)
        ? null
        : { state: known, recordsResult: metadataRecords().decode(returned.at(-1)!) }
    },
  }
}

function metadataOf(name: EnsName, found: Cached<Metadata>, clock: Clock, began: number) {
  if (found.value === null) return null
  const { state, recordsResult } = found.value
  const { address = '', text = {}, contenthash = '' } = recordsResult.kind === 'records' ? recordsResult.records : {}
  return {
    name: withEth(name),
    owner: state.owner ?? ZERO_ADDRESS,
    resolver: state.resolver ?? '',
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
    ...(recordsResult.kind === 'offchain' && { offchain: true as const }),
    ...freshness(found, clock, began),
  }
}

const freshness = ({ cached, storedAt }: Cached<unknown>, clock: Clock, began: number) => ({
  responseMs: Math.round(clock.monotonic() - began),
  source: cached ? ('rpc+cache' as const) : ('rpc' as const),
  checkedAt: new Date(storedAt).toISOString(),
})
