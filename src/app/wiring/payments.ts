import { privateKeyToAccount } from '../../kernel/ethereum/signing.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import type { Log } from '../../kernel/log.ts'
import { createMetrics, type Metrics } from '../../kernel/metrics.ts'
import type { Random } from '../../kernel/random.ts'
import type { OpenCredits } from '../../payments/credit-routes.ts'
import type { Ledger } from '../../payments/ledger.ts'
import { createPaymentMetrics } from '../../payments/payment-metrics.ts'
import { sandboxRoutes } from '../../payments/routes.ts'
import { walletRoutes } from '../../payments/wallet-routes.ts'
import type { Hex, Scheme } from '../../payments/scheme.ts'
import { offerWhenReady } from '../../payments/scheme-readiness.ts'
import { memoryLedger } from '../../payments/sources/memory-ledger.ts'
import { isSecureOrigin } from '../../payments/sources/mpp/origin.ts'
import { TEMPO_USDC } from '../../payments/sources/mpp/scheme.ts'
import { BASE_USDC } from '../../payments/sources/x402/network.ts'
import type { Checkout } from '../../surfaces/http/paid.ts'
import type { WayToPay } from '../../surfaces/openapi/payment-info.ts'
import type { Config } from '../settings/config.ts'
import type { PaymentSettings } from '../settings/payment-settings.ts'
import { loadKeys } from './keys.ts'
import { watchBalance } from './payment-balance.ts'
import { freeCheckout, openCheckout } from './payment-checkout.ts'
import { closedCredits, creditsIn } from './payment-credits.ts'
import { ledgerInFile, openedLedger } from './payment-ledger.ts'
import { type Live, PART_NAMES, startLive } from './payment-readiness.ts'
import { type Money, openMpp, openX402 } from './payment-schemes.ts'
import type { Outbound } from './outbound.ts'
import type { SimulatedMoney, TestWallet } from './play-money.ts'
import { createPlaySigner } from './play-wallet.ts'
import type { sleep } from '../../kernel/sleep.ts'

export type Payments = {
  readonly mode: PaymentSettings['mode']
  /** What a 402 at a public URL offers. */
  waysToPay(publicUrl: string): readonly WayToPay[]
  /** For simulated payments: a wallet; in the sandbox also a paid endpoint and the ledger. */
  readonly routes: readonly Route[]
  /** Prepaid credit. Throws ApiError 503 while it cannot be used. */
  readonly credits: OpenCredits
  /** The simulated chains and a funded wallet. */
  readonly simulated: { readonly wallet: TestWallet; readonly baseUrl: string; readonly tempoUrl: string } | null
  /** The checkout for the door at a public URL; undefined if payments are off. */
  checkout(publicUrl: string): Checkout | undefined
  readonly whyNotReady: Live['whyNotReady']
  /** Resolves when the first checks of real payments have ended, or a second after the start. */
  readonly checked: Live['checked']
  close(): Promise<void>
}

type Needs = {
  readonly config: Config
  readonly outbound: Outbound
  /** Those that a facilitator may list. */
  readonly endpoints?: readonly Endpoint[]
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Metrics
  readonly wait?: typeof sleep
}

/**
 * Opens what payments need in the configured mode. Throws ConfigError if a setting for real payments is wrong. What a
 * setting names may fail (a node is down, the ledger is locked): paid endpoints answer 503 until it can be used.
 */
export async function openPayments(needs: Needs): Promise<Payments> {
  const { config, clock } = needs
  const { mode } = config.payments
  if (mode === 'off' || mode === 'free') {
    const checkout = (publicUrl: string) => (mode === 'free' ? freeCheckout(publicUrl) : undefined)
    const none = { waysToPay: () => [], routes: [], simulated: null, whyNotReady: () => undefined }
    return { mode, credits: closedCredits, ...none, checkout, checked: Promise.resolve(), close: async () => {} }
  }
  // Simulated chains run in this process, on loopback.
  const upstream = needs.outbound.open('payments', { loopbackOnly: mode === 'simulated' })
  const simulated = mode === 'simulated' ? await startMoney(needs) : null
  const ending = new AbortController()
  const ledger = simulated ? openedLedger(memoryLedger({ clock })) : ledgerInFile(needs, ending.signal)
  const close = async () => {
    ending.abort()
    ledger.close()
    await upstream.close()
    await simulated?.stop()
  }
  try {
    const money = simulated ? playMoney(needs, simulated) : realMoney(needs)
    let live: Live | undefined
    const observe = createPaymentMetrics({
      ...needs,
      readiness: () => readinessOf(money, live),
      hasSettlementKey: money.x402 !== undefined && 'key' in money.x402.settlement,
    })
    const parts = { ...needs, upstream, money, observe, ending: ending.signal }
    const x402 = money.x402 && openX402(parts, money.x402)
    const mpp = money.mpp && openMpp(parts, money.mpp)
    if (mode === 'live') live = startLive({ ...needs, ledger, x402, mpp, ending: ending.signal })
    if (x402?.fetchBalance)
      watchBalance(x402.fetchBalance, { ...needs, observe, ending: ending.signal }).catch(() => {})
    const guard = (scheme: Scheme): Scheme =>
      live ? offerWhenReady(scheme, () => live?.whyNotReady(scheme.id)) : scheme
    const whyNoLedger = () => live?.whyNotReady('ledger')
    const checked = live?.checked ?? Promise.resolve()
    return {
      mode,
      waysToPay: (publicUrl) => [...(x402 ? [x402.way] : []), ...(mpp && isSecureOrigin(publicUrl) ? [mpp.way] : [])],
      credits: creditsIn(ledger, whyNoLedger, checked),
      routes: [
        ...(simulated ? walletRoutes({ sign: createPlaySigner(simulated.wallet) }) : []),
        ...(config.sandbox && simulated ? sandboxRoutes({ ledger: await ledger.opened, clock }) : []),
      ],
      simulated: simulated && { wallet: simulated.wallet, baseUrl: simulated.baseUrl, tempoUrl: simulated.tempoUrl },
      checkout(publicUrl) {
        const isSecure = isSecureOrigin(publicUrl)
        if (mpp && !isSecure) {
          needs.log.warn(
            {},
            'MPP is not offered over plain HTTP. Set ONOMA_PUBLIC_URL to the https address of the service.',
          )
        }
        const realm = new URL(publicUrl).hostname
        const schemesFor = (opened: Ledger) =>
          [x402?.scheme(opened), isSecure ? mpp?.scheme(realm, opened) : undefined]
            .filter((scheme) => scheme !== undefined)
            .map(guard)
        const { creditSecrets } = money
        const common = { ...parts, ledger, whyNoLedger, checked, creditSecrets, simulated, publicUrl }
        return openCheckout({ ...common, schemesFor, maintain: x402?.priceTransactions })
      },
      whyNotReady: (part) => live?.whyNotReady(part),
      checked,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What real payments need, and what is wrong with each part. */
export type PaymentCheck = { readonly part: string; readonly problems: readonly string[] }

/** All checks of the start at once, for live mode; wrong settings do not keep the rest from being checked. */
export async function checkLivePayments(needs: Omit<Needs, 'metrics' | 'wait'>): Promise<readonly PaymentCheck[]> {
  const metrics = createMetrics()
  const upstream = needs.outbound.open('payments')
  try {
    const money = realMoney(needs)
    const observe = createPaymentMetrics({ ...needs, metrics, readiness: () => ({}), hasSettlementKey: false })
    const parts = { ...needs, metrics, upstream, money, observe, ending: new AbortController().signal }
    const checks = { x402: money.x402 && openX402(parts, money.x402), mpp: money.mpp && openMpp(parts, money.mpp) }
    return await Promise.all(
      (['x402', 'mpp'] as const).flatMap((id) => {
        const check = checks[id]?.check
        return check ? [check().then((problems) => ({ part: PART_NAMES[id], problems }))] : []
      }),
    )
  } finally {
    await upstream.close()
  }
}

function realMoney({ config, random, log }: Pick<Needs, 'config' | 'random' | 'log'>): Money {
  const { payTo, x402, mpp } = config.payments
  const { settlementKey: key, facilitatorUrl: url } = x402
  const secrets = loadKeys({ config, random, log }).map((secret) => Buffer.from(secret).toString('utf8'))
  return {
    payTo: payTo!,
    creditSecrets: secrets,
    ...(x402.rpcUrls && { x402: { urls: x402.rpcUrls, settlement: key ? { key } : { url: url! }, secrets } }),
    ...(mpp.rpcUrls && {
      mpp: {
        urls: mpp.rpcUrls,
        currency: mpp.currency ?? TEMPO_USDC,
        secrets,
      },
    }),
  }
}

/** Pays to a random address whose key is discarded: a signature for the simulated Base is also valid on the real one. */
function playMoney({ random }: Needs, { baseUrl, tempoUrl }: SimulatedMoney): Money {
  const key = hexOf(random.bytes(32))
  return {
    payTo: privateKeyToAccount(hexOf(random.bytes(32))).address,
    creditSecrets: [hexOf(random.bytes(32))],
    x402: { urls: [baseUrl], settlement: { key }, secrets: [hexOf(random.bytes(32))] },
    mpp: { urls: [tempoUrl], currency: TEMPO_USDC, secrets: [hexOf(random.bytes(32))] },
  }
}

/** 1 for each part that can be used. Simulated payments always can. */
function readinessOf({ x402, mpp }: Money, live: Live | undefined): Record<string, number> {
  const parts = ['ledger', ...(x402 ? ['x402'] : []), ...(mpp ? ['mpp'] : [])] as const
  return Object.fromEntries(
    parts.map((part) => [part, live?.whyNotReady(part as keyof typeof PART_NAMES) === undefined ? 1 : 0]),
  )
}

/** Imported on demand: only simulated payments need their own chains. */
async function startMoney({ clock, log }: Needs): Promise<SimulatedMoney> {
  const { startSimulatedMoney } = await import('./play-money.ts')
  return startSimulatedMoney({ usdc: BASE_USDC.address, tempoToken: TEMPO_USDC, clock, log })
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
