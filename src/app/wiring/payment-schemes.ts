import { privateKeyToAccount } from '../../kernel/ethereum/signing.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Endpoint } from '../../kernel/endpoint.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Ledger } from '../../payments/ledger.ts'
import type { PaymentMetrics } from '../../payments/payment-metrics.ts'
import type { Hex, Scheme } from '../../payments/scheme.ts'
import { checkMppLive, checkMppSettings } from '../../payments/sources/mpp/live.ts'
import { createMpp, TEMPO_CHAIN_ID } from '../../payments/sources/mpp/scheme.ts'
import { describeEndpoint } from '../../payments/sources/x402/discovery.ts'
import { createFacilitatorAuth } from '../../payments/sources/x402/facilitator-auth.ts'
import { createFacilitator } from '../../payments/sources/x402/facilitator.ts'
import { meterGas } from '../../payments/sources/x402/gas-meter.ts'
import { createKeySettler, type KeySettlerNeeds } from '../../payments/sources/x402/key-settler.ts'
import { createLedgerTag } from '../../payments/sources/x402/ledger-tag.ts'
import { checkX402Live, checkX402Settings, fetchBalance } from '../../payments/sources/x402/live.ts'
import { BASE, BASE_USDC } from '../../payments/sources/x402/network.ts'
import { priceTransactions } from '../../payments/sources/x402/transaction-costs.ts'
import { paymentKey } from '../../payments/sources/x402/transfer.ts'
import { createX402 } from '../../payments/sources/x402/x402.ts'
import { createEthereumRpc, type EthereumRpc } from '../../protocols/ethereum/rpc.ts'
import type { Config } from '../settings/config.ts'
import { PROVIDERS } from './outbound.ts'

/** The recipient, the nodes, and how payments are settled. */
export type Money = {
  readonly payTo: Hex
  readonly creditSecrets: readonly string[]
  readonly x402?: {
    readonly urls: readonly string[]
    readonly settlement: { key: Hex } | { url: string }
    readonly secrets: readonly string[]
  }
  readonly mpp?: { readonly urls: readonly string[]; readonly currency: Hex; readonly secrets: readonly string[] }
}

const GWEI = 10n ** 9n

export type Parts = {
  readonly config: Config
  /** Those that a facilitator may list. */
  readonly endpoints?: readonly Endpoint[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly upstream: Upstream
  readonly money: Money
  readonly observe: PaymentMetrics
  readonly ending: AbortSignal
}

/** x402 with the recipient and the settlement of the settings. */
export function openX402(
  { upstream, money, config, endpoints = [], clock, random, log, observe, ending }: Parts,
  { urls, settlement, secrets }: NonNullable<Money['x402']>,
) {
  const node = createEthereumRpc({ upstream, urls, chainId: BASE.chainId, clock, log })
  const sender = 'key' in settlement ? addressOf(settlement.key) : undefined
  const shared = { rpc: node, network: BASE, token: BASE_USDC }
  const walletFactories = new Set(config.payments.x402.walletFactories.map((factory) => factory.toLowerCase()))
  /** The node, and every receipt of our own transactions that it shows goes into the books. */
  let metered: EthereumRpc | undefined
  const meteredFor = (ledger: Ledger): EthereumRpc => {
    if (!sender) return node
    metered ??= meterGas(node, sender, (wei, hash) => {
      observe.gasSpent(wei)
      ledger.spent(hash, wei).catch((error: unknown) => {
        if (!ending.aborted) log.warn({ error, hash }, 'The gas of a transaction could not be recorded; it is retried.')
      })
    })
    return metered
  }
  const { maxGwei, ...gas } = config.payments.x402.gas
  const gasCap = { ...gas, maxGasPrice: maxGwei === null ? undefined : BigInt(maxGwei) * GWEI }
  const authenticate = createFacilitatorAuth(config.payments.x402.facilitatorAuth ?? undefined, { clock, random })
  const facilitator =
    'url' in settlement ? createFacilitator({ ...shared, upstream, url: settlement.url, authenticate }) : undefined
  const listed = new Map(facilitator && endpoints.map((endpoint) => [endpoint.name, endpoint]))
  const discovery = (name: string) => {
    const endpoint = listed.get(name)
    return endpoint && describeEndpoint(endpoint)
  }
  const setup = {
    ...shared,
    payTo: money.payTo,
    rpcUrls: urls,
    settlement: 'url' in settlement ? { ...settlement, facilitator: facilitator! } : { ...settlement, gasCap },
  }
  return {
    scheme(ledger: Ledger): Scheme {
      const ledgerTag = createLedgerTag(ledger.id)
      const key = (settlement as { key: Hex }).key
      const books = { ...shared, rpc: meteredFor(ledger) }
      const onReplacing: KeySettlerNeeds['onReplacing'] = (transfer, transaction) =>
        ledger.resending(paymentKey(BASE, BASE_USDC, transfer), transaction)
      const settler = facilitator ?? createKeySettler({ ...books, key, gasCap, clock, log, ledgerTag, onReplacing })
      const common = { secrets, payTo: money.payTo, clock, settler, ledgerTag, discovery, walletFactories }
      return createX402({ ...books, ...common })
    },
    priceTransactions: (ledger: Ledger, signal: AbortSignal) =>
      priceTransactions({ rpc: meteredFor(ledger), ledger, clock }, signal),
    way: { method: 'x402', currency: BASE_USDC.address },
    checkSettings: () => checkX402Settings(setup),
    fetchBalance: sender && (() => fetchBalance(node, sender)),
    check: () => checkX402Live({ ...setup, signal: AbortSignal.timeout(PROVIDERS.payments.timeoutMs) }),
  }
}

export function openMpp(
  { upstream, money, config, clock, random, log }: Parts,
  { urls, currency, secrets }: NonNullable<Money['mpp']>,
) {
  const rpc: EthereumRpc = createEthereumRpc({ upstream, urls, chainId: TEMPO_CHAIN_ID, clock, log })
  const common = { currency, recipient: money.payTo, rpc, secrets }
  const validity = { maxValiditySeconds: config.payments.mpp.maxValiditySeconds }
  return {
    scheme: (realm: string, { id: ledgerId }: Ledger): Scheme =>
      createMpp({ ...common, ...validity, ledgerId, realm, clock, random, wait: sleep }),
    way: { method: 'tempo', currency },
    checkSettings: () => checkMppSettings({ ...common, urls }),
    async check() {
      // Asks nodes again that served another chain before; the check below reports those that still do.
      await rpc.verify().catch(() => {})
      return checkMppLive({ ...common, urls })
    },
  }
}

/** The settlement key of the settings, or undefined if it is invalid: the check of the settings reports that. */
function addressOf(key: Hex): Hex | undefined {
  try {
    return privateKeyToAccount(key).address
  } catch {
    return undefined
  }
}
