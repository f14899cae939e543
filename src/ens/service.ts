import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import { withTimeout } from '../kernel/timeout.ts'
import type { Random } from '../kernel/random.ts'
import type { Hex } from '../kernel/hex.ts'
import type { Chain } from './chain/chain.ts'
import type { Contracts } from './chain/deployments.ts'
import { createManagement } from './transactions/management.ts'
import { createLookups } from './reading/lookups.ts'
import type { EnsName } from './contract/names.ts'
import { lookUpPremium } from './reading/premium-lookup.ts'
import { readFromTwoNodes, authorizationRead } from './chain/contract-reads.ts'
import { createRegistrationFlow } from './transactions/registration-flow.ts'
import type { RegistrationTokens } from './transactions/registration-token.ts'

type Needs = {
  readonly chain: Chain
  readonly contracts: Contracts
  readonly tokens: RegistrationTokens
  readonly clock: Clock
  readonly random: Random
  /** Multiplies how long the health endpoint waits for the nodes. */
  readonly timeoutScale?: number
}

type HealthResult = { readonly rpcConnected: boolean; readonly status: string }

/** The health endpoint is not rate-limited, so its result is cached to protect the node. */
const HEALTHY_TTL_MS = 5_000
const UNHEALTHY_TTL_MS = 1_000
/** A monitor gets its answer within a second, also if the nodes are silent. */
const HEALTH_TIMEOUT_MS = 800

const NOT_AGREED = {
  alone: 'only one Ethereum node answers, so no transaction can be prepared',
  disagreement: 'the Ethereum nodes disagree, so no transaction can be prepared',
} as const

export type Ens = ReturnType<typeof createEns>

export function createEns(needs: Needs) {
  const { chain, contracts, clock, timeoutScale = 1 } = needs
  const lookups = createLookups(needs)
  const healthCache = createCache<HealthResult>({ name: 'Ethereum', max: 1, clock })

  const checkHealth = async (signal: AbortSignal): Promise<HealthResult> => {
    try {
      const read = authorizationRead(contracts, contracts.registersWith)
      // Read as for a transaction: if that fails, no transaction can be prepared.
      const result = await readFromTwoNodes(chain, [read] as const, signal)
      if (result.kind !== 'agreed') return { rpcConnected: true, status: NOT_AGREED[result.kind] }
      const [isAllowed] = result.results
      return { rpcConnected: true, status: isAllowed ? 'ok' : 'the registrar no longer authorizes the controller' }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return { rpcConnected: false, status: 'no Ethereum node answers' }
    }
  }

  /** The check goes on after the timeout, for the next caller. */
  const healthWithinTimeout = async (signal: AbortSignal): Promise<HealthResult> => {
    const load = async (own: AbortSignal) => {
      const value = await checkHealth(own)
      return { value, ttlMs: value.status === 'ok' ? HEALTHY_TTL_MS : UNHEALTHY_TTL_MS }
    }
    const options = { who: 'the Ethereum nodes', timeoutMs: HEALTH_TIMEOUT_MS * timeoutScale, signal }
    try {
      return (await withTimeout(options, () => healthCache.getOrLoad('', load))).value
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return { rpcConnected: false, status: 'no Ethereum node answers' }
    }
  }

  return {
    ...lookups,
    register: createRegistrationFlow(needs),
    manage: createManagement(needs),
    premium: (name: EnsName, belowUsd: number | undefined, signal: AbortSignal) =>
      lookUpPremium(needs, name, belowUsd, signal),

    async health(signal: AbortSignal) {
      const value = await healthWithinTimeout(signal)
      return {
        status: value.status === 'ok' ? ('ok' as const) : ('degraded' as const),
        service: 'ens',
        ens: { status: value.status, rpcConnected: value.rpcConnected },
        cacheStats: lookups.sizes(),
      }
    },

    async transaction(hash: Hex, signal: AbortSignal) {
      const state = await chain.transaction(hash, signal)
      if (state.kind !== 'mined') return { tx_hash: hash, status: 'pending' as const, seen: state.kind === 'pending' }
      return {
        tx_hash: hash,
        status: state.succeeded ? ('confirmed' as const) : ('failed' as const),
        seen: true,
        block_number: state.blockNumber,
        gas_used: state.gasUsed,
        effective_gas_price: state.effectiveGasPrice.toString(),
      }
    },
  }
}
