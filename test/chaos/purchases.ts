import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Reply } from '../support/door.ts'
import { ask } from '../support/paid-shop.ts'
import {
  fromBase64,
  fundedWallet,
  paidBy,
  payMpp,
  payX402,
  type Payer,
  type PaymentHeaders,
  type Wallet,
} from '../support/paid-wallets.ts'
import type { PaidChains } from '../support/paid-chains.ts'

/** A payment that a client has signed once and repeats until it has an answer. */
type Purchase = {
  readonly path: string
  readonly wallet: Wallet
  readonly scheme: 'x402' | 'MPP'
  readonly headers: PaymentHeaders
  /** In millionths of a dollar; undefined if the 402 had no x402 offer to read it from. */
  readonly price: bigint | undefined
  state: 'open' | 'delivered' | 'refused'
  /** The last answer, for the report. */
  last: string
}

type Options = {
  /** Changes when the service is restarted on another port. */
  readonly url: () => string
  readonly seed: number
  readonly chains: PaidChains
  readonly clock: Clock
  readonly workers: number
}

type Scheme = Purchase['scheme']
const PAYERS: readonly (readonly [Scheme, Payer])[] = [
  ['x402', payX402],
  ['MPP', payMpp],
]
const PAUSE_MS = 100
/** Attempts during a round; the rest is done when the fault is over. */
const ATTEMPTS = 3
const REQUEST_TIMEOUT_MS = 60_000

/** Clients that buy one answer after another until `stop`. */
export function startPurchases({ url, seed, chains, clock, workers }: Options) {
  const purchases: Purchase[] = []
  const stopping = new AbortController()
  const get = async (path: string, headers: PaymentHeaders = {}): Promise<Reply | string> => {
    const giveUp = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    return ask(url() + path, headers, { signal: giveUp }).catch((error: unknown) => String(error))
  }
  const attempt = async (purchase: Purchase): Promise<void> => {
    const reply = await get(purchase.path, purchase.headers)
    purchase.last = typeof reply === 'string' ? reply : `${reply.status} ${reply.text.slice(0, 200)}`
    if (typeof reply === 'string') return
    if (reply.status === 200) purchase.state = 'delivered'
    // The service does not accept this payment: it must not have taken it either.
    if (reply.status === 402 || reply.status === 400) purchase.state = 'refused'
  }
  const buy = async (path: string, [scheme, pay]: (typeof PAYERS)[number]): Promise<void> => {
    const invited = await get(path)
    if (typeof invited === 'string' || invited.status !== 402) return
    const offers = scheme === 'MPP' ? 'www-authenticate' : 'payment-required'
    if (!invited.headers.has(offers)) return
    const wallet = fundedWallet(chains)
    const token = { 'payment-token': randomBytes(32).toString('base64url') }
    const headers = { ...(await pay(invited, wallet, clock)), ...token }
    const purchase: Purchase = { path, wallet, scheme, headers, price: priceIn(invited), state: 'open', last: '' }
    purchases.push(purchase)
    for (let count = 0; count < ATTEMPTS && purchase.state === 'open' && !stopping.signal.aborted; count++) {
      await attempt(purchase)
      if (purchase.state === 'open') await sleep(PAUSE_MS)
    }
  }
  const work = async (number: number): Promise<void> => {
    for (let count = 0; !stopping.signal.aborted; count++) {
      const path = `/v1/valuation/chaos${seed}x${number}x${count}.com?tier=full`
      await buy(path, PAYERS[(number + count) % PAYERS.length]!)
      await sleep(PAUSE_MS)
    }
  }
  const done = Promise.all(Array.from({ length: workers }, (_, number) => work(number)))
  return {
    purchases: () => purchases.length,
    async stop(): Promise<void> {
      stopping.abort()
      await done
    },
    /**
     * Repeats every open payment until it is delivered or refused, and compares what was taken with what was delivered.
     * Returns a sentence per difference.
     */
    async settle(timeoutMs: number): Promise<string[]> {
      const endsAt = performance.now() + timeoutMs
      const open = () => purchases.filter(({ state }) => state === 'open')
      while (open().length > 0 && performance.now() < endsAt) {
        await Promise.all(open().map(attempt))
        if (open().length > 0) await sleep(PAUSE_MS * 5)
      }
      return purchases.flatMap(({ path, wallet, price, state, last }) => {
        const paid = paidBy(chains, wallet)
        if (price !== undefined && paid > price) return [`${path} costs ${price}, and ${paid} were taken`]
        if (state === 'delivered' && paid === 0n) return [`${path} was delivered and never paid`]
        if (state === 'delivered') return []
        const sentence = state === 'open' ? `${path} stayed open: ${last}` : `${path} was refused: ${last}`
        return paid > 0n ? [`${sentence}, and ${paid} were taken: a lost payment`] : state === 'open' ? [sentence] : []
      })
    },
    /** How many were delivered, by scheme. */
    sold: (): Record<string, number> =>
      Object.fromEntries(
        PAYERS.map(([name]) => [
          `purchases by ${name}`,
          purchases.filter(({ scheme, state }) => scheme === name && state === 'delivered').length,
        ]),
      ),
    delivered: () => purchases.filter(({ state }) => state === 'delivered').length,
  }
}

function priceIn({ headers }: Reply): bigint | undefined {
  const text = headers.get('payment-required')
  if (text === null) return undefined
  const { accepts } = fromBase64(text) as { accepts: readonly { readonly amount: string }[] }
  return BigInt(accepts[0]!.amount)
}
