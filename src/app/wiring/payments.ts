import { privateKeyToAccount } from 'viem/accounts'
import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { createGate } from '../../payments/gate.ts'
import { priceOf } from '../../payments/prices.ts'
import { sandboxRoutes } from '../../payments/routes.ts'
import type { Hex, Scheme } from '../../payments/scheme.ts'
import type { PrunableLedger } from '../../payments/sources/retention.ts'
import { memoryLedger } from '../../payments/sources/memory-ledger.ts'
import { checkMppLive } from '../../payments/sources/mpp/live.ts'
import { isSecureOrigin } from '../../payments/sources/mpp/origin.ts'
import { createMpp, TEMPO_CHAIN_ID, TEMPO_USDC } from '../../payments/sources/mpp/scheme.ts'
import { sqliteLedger } from '../../payments/sources/sqlite-ledger.ts'
import { createFacilitator } from '../../payments/sources/x402/facilitator.ts'
import { createKeySettler } from '../../payments/sources/x402/key-settler.ts'
import { checkX402Live } from '../../payments/sources/x402/live.ts'
import { BASE, BASE_USDC } from '../../payments/sources/x402/network.ts'
import { createX402 } from '../../payments/sources/x402/x402.ts'
import { createEthereumRpc, type EthereumRpc } from '../../protocols/ethereum/rpc.ts'
import type { Checkout } from '../../surfaces/http/paid.ts'
import type { WayToPay } from '../../surfaces/openapi/payment-info.ts'
import { type Config, ConfigError, type PaymentSettings } from '../settings/config.ts'
import { loadKeys } from './keys.ts'
import { type Outbound, PROVIDERS } from './outbound.ts'
import type { SimulatedMoney, TestWallet } from './play-money.ts'
import { sleep } from '../../kernel/sleep.ts'

export type Payments = {
  readonly mode: PaymentSettings['mode']
  readonly waysToPay: readonly WayToPay[]
  /** For the sandbox: a paid endpoint and the ledger. */
  readonly routes: readonly Route[]
  /** The simulated chains and a funded wallet. */
  readonly simulated: { readonly wallet: TestWallet; readonly baseUrl: string; readonly tempoUrl: string } | null
  /** The checkout for the door at a public URL; undefined if payments are off. */
  checkout(publicUrl: string): Checkout | undefined
  close(): Promise<void>
}

type Needs = {
  readonly config: Config
  readonly outbound: Outbound
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

const GWEI = 10n ** 9n
/** All instances are taken to share one ledger until the ledger has an id of its own. */
const LEDGER_ID = 'ledger'
const MAINTENANCE_INTERVAL_MS = 60_000

/** Opens what payments need in the configured mode. Throws ConfigError if something for real payments is missing. */
export async function openPayments(needs: Needs): Promise<Payments> {
  const { config, clock } = needs
  const { mode } = config.payments
  if (mode === 'off') {
    return { mode, waysToPay: [], routes: [], simulated: null, checkout: () => undefined, close: async () => {} }
  }
  // Simulated chains run in this process, on loopback.
  const upstream = needs.outbound.open('payments', { loopbackOnly: mode === 'simulated' })
  const simulated = mode === 'simulated' ? await startMoney(needs) : null
  const ledger = simulated ? memoryLedger({ clock }) : sqliteLedger({ folder: config.dataDir, clock })
  const ending = new AbortController()
  const close = async () => {
    ending.abort()
    ledger.close()
    await upstream.close()
    await simulated?.stop()
  }
  try {
    const money = simulated ? playMoney(needs, simulated) : realMoney(needs)
    const parts = { ...needs, upstream, money }
    const x402 = money.x402 && openX402(parts, money.x402)
    const mpp = money.mpp && openMpp(parts, money.mpp)
    if (mode === 'live') await throwIfUnsound([x402, mpp].flatMap((one) => (one ? [one.check()] : [])))
    return {
      mode,
      waysToPay: [...(x402 ? [x402.way] : []), ...(mpp ? [mpp.way] : [])],
      routes: config.sandbox ? sandboxRoutes({ ledger, clock }) : [],
      simulated: simulated && { wallet: simulated.wallet, baseUrl: simulated.baseUrl, tempoUrl: simulated.tempoUrl },
      checkout(publicUrl) {
        const isSecure = isSecureOrigin(publicUrl)
        if (mpp && !isSecure) {
          needs.log.warn(
            {},
            'MPP is not offered over plain HTTP. Set ONOMA_PUBLIC_URL to the https address of the service.',
          )
        }
        const schemes = [x402?.scheme, isSecure ? mpp?.scheme(new URL(publicUrl).hostname) : undefined].filter(
          (scheme) => scheme !== undefined,
        )
        return openCheckout({ ...needs, schemes, ledger, publicUrl, simulated, ending: ending.signal })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The recipient, the nodes, and how payments are settled. */
type Money = {
  readonly payTo: Hex
  readonly x402?: { readonly urls: readonly string[]; readonly settlement: { key: Hex } | { url: string } }
  readonly mpp?: { readonly urls: readonly string[]; readonly currency: Hex; readonly secrets: readonly string[] }
}

function realMoney({ config, random, log }: Needs): Money {
  const { payTo, x402, mpp } = config.payments
  const { settlementKey: key, facilitatorUrl: url } = x402
  return {
    payTo: payTo!,
    ...(x402.rpcUrls && { x402: { urls: x402.rpcUrls, settlement: key ? { key } : { url: url! } } }),
    ...(mpp.rpcUrls && {
      mpp: {
        urls: mpp.rpcUrls,
        currency: mpp.currency ?? TEMPO_USDC,
        secrets: loadKeys({ config, random, log }).map((secret) => Buffer.from(secret).toString('utf8')),
      },
    }),
  }
}

/** Pays to a random address whose key is discarded: a signature for the simulated Base is also valid on the real one. */
function playMoney({ random }: Needs, { baseUrl, tempoUrl }: SimulatedMoney): Money {
  const key = hexOf(random.bytes(32))
  return {
    payTo: privateKeyToAccount(hexOf(random.bytes(32))).address,
    x402: { urls: [baseUrl], settlement: { key } },
    mpp: { urls: [tempoUrl], currency: TEMPO_USDC, secrets: [hexOf(random.bytes(32))] },
  }
}

type Parts = Needs & { readonly upstream: Upstream; readonly money: Money }

function openX402({ upstream, money, config, clock, log }: Parts, { urls, settlement }: NonNullable<Money['x402']>) {
  const rpc = createEthereumRpc({ upstream, urls, chainId: BASE.chainId, clock, log })
  const shared = { rpc, network: BASE, token: BASE_USDC }
  const maxGasPrice = BigInt(config.payments.x402.maxGasGwei) * GWEI
  const facilitator = 'url' in settlement ? createFacilitator({ ...shared, upstream, url: settlement.url }) : undefined
  const settler =
    facilitator ?? createKeySettler({ ...shared, key: (settlement as { key: Hex }).key, maxGasPrice, log })
  return {
    scheme: createX402({ ...shared, payTo: money.payTo, clock, settler }),
    way: { method: 'x402', currency: BASE_USDC.address },
    check: () =>
      checkX402Live({
        ...shared,
        payTo: money.payTo,
        rpcUrls: urls,
        settlement: 'url' in settlement ? { ...settlement, facilitator: facilitator! } : { ...settlement, maxGasPrice },
        signal: AbortSignal.timeout(PROVIDERS.payments.timeoutMs),
      }),
  }
}

function openMpp(
  { upstream, money, clock, random, log }: Parts,
  { urls, currency, secrets }: NonNullable<Money['mpp']>,
) {
  const rpc: EthereumRpc = createEthereumRpc({ upstream, urls, chainId: TEMPO_CHAIN_ID, clock, log })
  const common = { currency, recipient: money.payTo, rpc, secrets }
  return {
    scheme: (realm: string): Scheme => createMpp({ ...common, ledgerId: LEDGER_ID, realm, clock, random, wait: sleep }),
    way: { method: 'tempo', currency },
    check: () => checkMppLive({ ...common, urls }),
  }
}

async function throwIfUnsound(checks: readonly Promise<readonly string[]>[]): Promise<void> {
  const problems = (await Promise.all(checks)).flat()
  if (problems.length > 0)
    throw new ConfigError(['Payments are configured, but real payments cannot be accepted yet:', ...problems])
}

type CheckoutNeeds = Needs & {
  readonly schemes: readonly Scheme[]
  readonly ledger: PrunableLedger
  readonly publicUrl: string
  readonly simulated: SimulatedMoney | null
  readonly ending: AbortSignal
}

function openCheckout({ schemes, ledger, publicUrl, simulated, ending, clock, random, log }: CheckoutNeeds): Checkout {
  const gate = createGate({ schemes, ledger, clock, random, log, wait: sleep })
  const maintainLedger = async (): Promise<void> => {
    while (!ending.aborted) {
      try {
        const settled = await gate.recover(ending)
        if (settled > 0) log.info({ settled }, 'Recovered payments that a crash had left open: they are settled.')
        await ledger.prune(clock.now())
      } catch (error) {
        if (!ending.aborted) log.warn({ error }, 'Maintenance of the payment ledger failed; it is retried in a minute.')
      }
      await sleep(MAINTENANCE_INTERVAL_MS, ending)
    }
  }
  maintainLedger().catch(() => {})
  // A client that pays with play money needs the address of the simulated chain: no public node serves it.
  const headers = simulated ? ['X-Payments-Mode', 'simulated', 'X-Payments-Rpc', simulated.tempoUrl] : []
  return { paywall: gate, priceOf, publicUrl, headers }
}

/** Imported on demand: only simulated payments need their own chains. */
async function startMoney({ clock, log }: Needs): Promise<SimulatedMoney> {
  const { startSimulatedMoney } = await import('./play-money.ts')
  return startSimulatedMoney({ usdc: BASE_USDC.address, tempoToken: TEMPO_USDC, clock, log })
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
