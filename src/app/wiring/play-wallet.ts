import { signHash } from '../../kernel/ethereum/secp256k1.ts'
import type { Hex } from '../../payments/scheme.ts'
import { BASE, BASE_USDC } from '../../payments/sources/x402/network.ts'
import { computeDomainSeparator, hashTransfer } from '../../payments/sources/x402/transfer.ts'
import type { PlayTransfer } from '../../payments/wallet-routes.ts'
import type { TestWallet } from './play-money.ts'

/** Signs transfers of USDC on the simulated Base. */
export function createPlaySigner({ address, privateKey }: TestWallet) {
  const domain = computeDomainSeparator(BASE, BASE_USDC)
  const from = address.toLowerCase() as Hex
  return async (transfer: PlayTransfer): Promise<{ from: Hex; signature: Hex }> => {
    const hash = hashTransfer({ ...transfer, from, signature: '0x' }, domain)
    const { r, s, yParity } = await signHash(hash, privateKey)
    return { from: address, signature: `${r}${s.slice(2)}${yParity === 0 ? '1b' : '1c'}` as Hex }
  }
}
