import type { FacilitatorAuth } from '../../payments/sources/x402/facilitator-auth.ts'
import { isPublicAddress } from '../../kernel/addresses.ts'
import { facilitatorAuth } from './facilitator.ts'
import { hostnameOf, isLoopback } from './loopback.ts'
import type { Values } from './providers.ts'
import { isLivePayment } from './table.ts'

/** `live` if any payment setting is set, `free` if the operator says so. */
export type PaymentSettings = {
  readonly mode: 'off' | 'simulated' | 'live' | 'free'
  readonly payTo: `0x${string}` | null
  readonly x402: {
    readonly rpcUrls: readonly string[] | null
    readonly settlementKey: `0x${string}` | null
    readonly facilitatorUrl: string | null
    /** Null without authentication. */
    readonly facilitatorAuth: FacilitatorAuth | null
    /** Contracts that may deploy the wallet of a payer. */
    readonly walletFactories: readonly `0x${string}`[]
    readonly gas: {
      /** Share of a payment that its gas may cost. */
      readonly maxShare: number
      readonly maxEtherUsd: number
      /** Null for no limit besides the share. */
      readonly maxGwei: number | null
    }
  }
  readonly mpp: {
    readonly rpcUrls: readonly string[] | null
    readonly currency: `0x${string}` | null
    /** How far in the future an expiring transaction may end. */
    readonly maxValiditySeconds: number
  }
}

const DEFAULT_MAX_GAS_SHARE = 0.25
const DEFAULT_MAX_ETHER_USD = 5000
const DEFAULT_MAX_VALIDITY_SECONDS = 60

/** A service that others can reach, directly or through a proxy, takes real payments or none. */
export function paymentSettings(
  values: Values,
  given: ReadonlyMap<string, unknown>,
  production: boolean,
): PaymentSettings {
  const isLive = [...given.keys()].some(isLivePayment)
  const { ONOMA_SANDBOX: sandbox, ONOMA_PUBLIC_URL: publicUrl, ONOMA_TRUSTED_PROXIES: proxies } = values
  const hasPublicUrl = publicUrl !== null && !(sandbox && isLoopback(hostnameOf(publicUrl)))
  const isSimulated =
    isLoopback(values.HOST) && !hasPublicUrl && (proxies ?? []).length === 0 && (sandbox || !production)
  return Object.freeze({
    mode: isLive ? 'live' : values.ONOMA_PAYMENTS === 'free' ? 'free' : isSimulated ? 'simulated' : 'off',
    payTo: values.ONOMA_PAY_TO,
    x402: Object.freeze({
      rpcUrls: values.ONOMA_X402_RPC_URLS,
      settlementKey: values.ONOMA_X402_SETTLEMENT_KEY,
      facilitatorUrl: values.ONOMA_X402_FACILITATOR_URL,
      facilitatorAuth: facilitatorAuth(values),
      walletFactories: Object.freeze(values.ONOMA_X402_WALLET_FACTORIES ?? []),
      gas: Object.freeze({
        maxShare: values.ONOMA_X402_MAX_GAS_SHARE ?? DEFAULT_MAX_GAS_SHARE,
        maxEtherUsd: values.ONOMA_X402_MAX_ETHER_USD ?? DEFAULT_MAX_ETHER_USD,
        maxGwei: values.ONOMA_X402_MAX_GAS_GWEI,
      }),
    }),
    mpp: Object.freeze({
      rpcUrls: values.ONOMA_MPP_RPC_URLS,
      currency: values.ONOMA_MPP_CURRENCY,
      maxValiditySeconds: values.ONOMA_MPP_MAX_VALIDITY_SECONDS ?? DEFAULT_MAX_VALIDITY_SECONDS,
    }),
  })
}

/** What speaks against free answers. */
export function freeProblems(values: Values, given: ReadonlyMap<string, unknown>): string[] {
  if (values.ONOMA_PAYMENTS !== 'free') return []
  const live = [...given.keys()].filter(isLivePayment)
  const publicHosts = [values.HOST, ...(values.ONOMA_PUBLIC_URL === null ? [] : [hostnameOf(values.ONOMA_PUBLIC_URL)])]
  return [
    ...(live.length > 0
      ? [
          `ONOMA_PAYMENTS is free together with settings for real payments (${live.join(', ')}); remove one or the other.`,
        ]
      : []),
    ...publicHosts
      .filter(isPublicAddress)
      .map((host) => `ONOMA_PAYMENTS is free, but ${host} is a public address: free is for private networks only.`),
  ]
}

/** What is missing for real payments. */
export function paymentProblems({ mode, payTo, x402, mpp }: PaymentSettings): string[] {
  if (mode !== 'live') return []
  const problems: string[] = []
  if (payTo === null)
    problems.push('ONOMA_PAY_TO is missing: payments are set up, but there is no address to receive them.')
  if (x402.rpcUrls === null && mpp.rpcUrls === null) {
    problems.push('Set ONOMA_X402_RPC_URLS, ONOMA_MPP_RPC_URLS or both: without one nothing can be paid.')
  }
  const settlers = [x402.settlementKey, x402.facilitatorUrl].filter((settler) => settler !== null).length
  if (x402.rpcUrls !== null && settlers !== 1) {
    problems.push(
      'Set exactly one of ONOMA_X402_SETTLEMENT_KEY and ONOMA_X402_FACILITATOR_URL: it settles the payments.',
    )
  }
  if (x402.rpcUrls === null && settlers > 0) {
    problems.push('ONOMA_X402_RPC_URLS is missing: x402 payments cannot be checked without it.')
  }
  return problems
}
