import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import type { Random } from '../kernel/random.ts'
import type { Chain, Hex } from './chain.ts'
import type { Contracts } from './contracts.ts'
import { createHolding } from './holding.ts'
import { createLookups } from './lookups.ts'
import type { EnsName } from './names.ts'
import { lookUpPremium } from './premium-lookup.ts'
import { askTwoNodes, authorityQuestion } from './questions.ts'
import { createRegistering } from './registering.ts'
import type { RegistrationTokens } from './registration-token.ts'

type Needs = {
  readonly chain: Chain
  readonly contracts: Contracts
  readonly tokens: RegistrationTokens
  readonly clock: Clock
  readonly random: Random
}

type Condition = { readonly rpcConnected: boolean; readonly status: string }

/** Health is never limited: however often it is asked, the node is asked no more than once in a while. */
const HEALTH_MS = 5_000
const ILL_MS = 1_000

const NOT_AGREED = {
  alone: 'only one Ethereum node answers, so no transaction can be prepared',
  disagreement: 'the Ethereum nodes disagree, so no transaction can be prepared',
} as const

export type Ens = ReturnType<typeof createEns>

export function createEns(needs: Needs) {
  const { chain, contracts, clock } = needs
  const lookups = createLookups(needs)
  const condition = createCache<Condition>({ name: 'Ethereum', max: 1, clock })

  const examine = async (signal: AbortSignal): Promise<Condition> => {
    try {
      const question = authorityQuestion(contracts, contracts.registersWith)
      // Asked in the way transactions are prepared: where that fails, nothing can be.
      const asked = await askTwoNodes(chain, [question] as const, signal)
      if (asked.kind !== 'agreed') return { rpcConnected: true, status: NOT_AGREED[asked.kind] }
      const [isAllowed] = asked.answers
      return { rpcConnected: true, status: isAllowed ? 'ok' : 'the registrar no longer lets our controller register' }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return { rpcConnected: false, status: 'no Ethereum node answers' }
    }
  }

  return {
    ...lookups,
    register: createRegistering(needs),
    hold: createHolding(needs),
    premium: (name: EnsName, belowUsd: number | undefined, signal: AbortSignal) =>
      lookUpPremium(needs, name, belowUsd, signal),

    async health(signal: AbortSignal) {
      const load = async (own: AbortSignal) => {
        const value = await examine(own)
        return { value, ttlMs: value.status === 'ok' ? HEALTH_MS : ILL_MS }
      }
      const { value } = await condition.through('', load, { signal })
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
