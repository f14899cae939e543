import assert from 'node:assert/strict'
import { manualClock } from '../../src/kernel/clock.ts'
import type { Ledger } from '../../src/payments/ledger.ts'
import { memoryLedger } from '../../src/payments/sources/memory-ledger.ts'
import type { Reply } from './door.ts'
import { startPaidChains } from './paid-chains.ts'
import { openShop, type ShopOptions } from './paid-shop.ts'
import { fundedWallet, paidBy, type Payer, type PaymentHeaders, type Wallet } from './paid-wallets.ts'

type WorldOptions = Partial<Omit<ShopOptions, 'ledger'>> & {
  readonly ledger?: (own: Ledger) => Ledger
  /** Where the clock stands; clients that read the time of the machine need that. */
  readonly now?: number
}

export type PaidWorld = Awaited<ReturnType<typeof startPaidWorld>>

/** A shop, the chains its money is on, and the time, all in one process. */
export async function startPaidWorld(world: WorldOptions = {}) {
  const { ledger: wrapped = (own) => own, now = Date.UTC(2026, 10, 15, 12), ...options } = world
  const clock = manualClock(now)
  const chains = await startPaidChains(clock)
  const ledger = memoryLedger({ clock })
  const shop = await openShop({ urls: chains.urls, clock, ...options, ledger: wrapped(ledger) })
  const { get } = shop
  return {
    clock,
    chains,
    ledger,
    shop,
    get,
    /** A payment for what is at the path, by a wallet with money, ready to be sent. */
    async pay(
      payer: Payer,
      path: string,
    ): Promise<{ wallet: Wallet; headers: PaymentHeaders; send(): Promise<Reply> }> {
      const wallet = fundedWallet(chains)
      const headers = await payer(await get(path), wallet, clock)
      /** As a client that keeps the token of the first answer. */
      let token: string | null = null
      const send = async () => {
        const reply = await get(path, { ...headers, ...(token !== null && { 'payment-token': token }) })
        token ??= reply.headers.get('payment-token')
        return reply
      }
      return { wallet, headers, send }
    },
    paidBy: (wallet: Wallet) => paidBy(chains, wallet),
    /** How often this was worked on. */
    runsOf: (item: string) => shop.runs.filter((each) => each === item).length,
    async stop() {
      await shop.stop()
      await chains.stop()
    },
  }
}

/** Refused for this reason, and invited to pay anew; nothing of a receipt. */
export function mustBeRefused(reply: Reply, problem: string | RegExp, hint = ''): void {
  const { type, error } = reply.body as { type: string; error: string }
  const said = type.replace('https://paymentauth.org/problems/', '')
  assert.equal(reply.status, 402, `${hint} ${reply.text}`)
  assert.equal(error, 'payment_required')
  assert.match(said, typeof problem === 'string' ? new RegExp(`^${problem}$`) : problem, `${hint} ${reply.text}`)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.ok(reply.headers.has('payment-required') && reply.headers.has('www-authenticate'))
  assert.ok(!hasReceipt(reply))
}

export const hasReceipt = ({ headers }: Reply): boolean =>
  ['payment-response', 'x-payment-response', 'payment-receipt'].some((name) => headers.has(name))

/** Does as it is told by 503. */
export async function insist(send: () => Promise<Reply>): Promise<Reply> {
  for (let time = 0; time < 10; time++) {
    const reply = await send()
    if (reply.status !== 503) return reply
  }
  return send()
}
