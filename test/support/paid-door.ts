import type { Route } from '../../src/kernel/endpoint.ts'
import type { Mount } from '../../src/surfaces/http/exchange.ts'
import { startPaidRoutes } from './paid-routes.ts'
import { fundedWallet, paidBy, payX402, type Wallet } from './paid-wallets.ts'

/** A door that sells what these routes answer, and a customer with money. */
export async function startPaidDoor(routes: readonly Route[], mounts: readonly Mount[] = []) {
  const { url, clock, chains, get, stop } = await startPaidRoutes(() => routes, mounts)
  return {
    url,
    get,
    /** What is at the path, for a new wallet's money. */
    async buy(path: string) {
      const invited = await get(path)
      // What is not for sale now is not invited to be paid.
      return invited.status === 402 ? get(path, await payX402(invited, fundedWallet(chains), clock)) : invited
    },
    /** A payment of a new wallet for what is at the path, ready to be sent as often as wanted. */
    async pay(path: string) {
      const wallet = fundedWallet(chains)
      // With a token of its own the client can fetch the answer again.
      const headers = { ...(await payX402(await get(path), wallet, clock)), 'payment-token': 't'.repeat(43) }
      return { wallet, send: (to = path) => get(to, headers) }
    },
    paidBy: (wallet: Wallet) => paidBy(chains, wallet),
    stop,
  }
}
