import { encodeDeployData, type Hex } from 'viem'
import { ADMIN } from '../chain/accounts.ts'
import compiled from '../chain/compiled.json' with { type: 'json' }
import type { BaseChain } from './base-chain.ts'

const { abi, bytecode } = compiled.ContractWallet

/** Deploys a wallet that is a contract (EIP-1271), and returns its address. */
export async function deployWallet(
  { rpc, mine }: Pick<BaseChain, 'rpc' | 'mine'>,
  owner: Hex,
  isCheat = false,
): Promise<Hex> {
  const data = encodeDeployData({ abi, bytecode: bytecode as Hex, args: [owner, isCheat] })
  const hash = await rpc('eth_sendTransaction', [{ from: ADMIN.address, data }])
  const receipt = () => rpc('eth_getTransactionReceipt', [hash])
  if ((await receipt()) === null) await mine()
  return ((await receipt()) as { readonly contractAddress: Hex }).contractAddress
}
