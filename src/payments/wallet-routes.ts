import { route, type Route } from '../kernel/endpoint.ts'
import type { Hex } from './scheme.ts'
import { playWallet } from './wallet-contract.ts'

/** An EIP-3009 transfer from the wallet of the play money. */
export type PlayTransfer = {
  readonly to: Hex
  readonly value: bigint
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

type Needs = { sign(transfer: PlayTransfer): Promise<{ readonly from: Hex; readonly signature: Hex }> }

/** Served while payments are simulated. */
export const walletRoutes = ({ sign }: Needs): Route[] => [
  route(playWallet, ({ to, value, validAfter, validBefore, nonce }) =>
    sign({
      to: to.toLowerCase() as Hex,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: nonce.toLowerCase() as Hex,
    }),
  ),
]
