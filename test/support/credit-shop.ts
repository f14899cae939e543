import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { route, type Context } from '../../src/kernel/endpoint.ts'
import { ApiError } from '../../src/kernel/errors.ts'
import { paidEcho } from '../../src/payments/contract.ts'
import { creditRoutes } from '../../src/payments/credit-routes.ts'
import type { Reply } from './door.ts'
import { startPaidRoutes } from './paid-routes.ts'
import { fundedWallet, payMpp, payX402, type Payer } from './paid-wallets.ts'

export const ECHO = '/v1/sandbox/echo?say='
const PLENTY = 1_000_000_000n

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
export const newPaymentToken = (): string => randomBytes(32).toString('base64url')

export type CreditShop = Awaited<ReturnType<typeof startCreditShop>>

/** A door that sells credit and an echo, by both kinds of money. */
export async function startCreditShop() {
  const runs: string[] = []
  let work: (say: string, context: Context) => unknown = (say) => say
  const shop = await startPaidRoutes((_clock, credits) => [
    route(paidEcho, async ({ say }, context) => {
      runs.push(say)
      if (say.startsWith('fails')) throw new ApiError('domain_not_found', 'There is none.')
      const said = (await work(say, context)) as string
      const answer = { said, at: '2026-11-15T12:00:00.000Z' }
      return say.startsWith('errs') ? { ...answer, error: 'site_timeout' } : answer
    }),
    ...creditRoutes(() => credits),
  ])
  const wallet = fundedWallet(shop.chains, PLENTY)
  const invite = (amount: number) => shop.post('/v1/credit', { amount })
  const pay = async (amount: number, payer: Payer = payX402) => ({
    ...(await payer(await invite(amount), wallet, shop.clock)),
    'payment-token': newPaymentToken(),
  })
  return {
    ...shop,
    wallet,
    /** What was worked on, in this order. */
    runs,
    onWork(next: typeof work) {
      work = next
    },
    invite,
    /** The headers of a payment for credit. */
    pay,
    async buy(amount: number, payer: Payer = payX402): Promise<string> {
      const reply = await shop.post('/v1/credit', { amount }, await pay(amount, payer))
      assert.equal(reply.status, 200, reply.text)
      return (reply.body as { token: string }).token
    },
    echo: (say: string, token: string, more: Record<string, string> = {}): Promise<Reply> =>
      shop.get(ECHO + say, { ...bearer(token), ...more }),
    /** What GET /v1/credit shows. */
    async balance(token: string): Promise<Record<string, unknown>> {
      const reply = await shop.get('/v1/credit', bearer(token))
      assert.equal(reply.status, 200, reply.text)
      return reply.body as Record<string, unknown>
    },
    /** What both chains hold for us. */
    paid: () => 2n * PLENTY - shop.chains.base.balanceOf(wallet.address) - shop.chains.tempo.balanceOf(wallet.address),
  }
}

export { payMpp, payX402 }
