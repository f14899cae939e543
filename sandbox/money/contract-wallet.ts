import { type Abi, encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { ADMIN } from '../chain/accounts.ts'
import compiled from '../chain/compiled.json' with { type: 'json' }
import { MAINNET } from '../chain/addresses.ts'
import { multicallCode } from '../chain/creation-code.ts'
import type { BaseChain } from './base-chain.ts'

const { abi, bytecode } = compiled.ContractWallet
const factory = compiled.WalletFactory

/** Deploys a wallet that is a contract (EIP-1271), and returns its address. */
export async function deployWallet(
  { rpc, mine }: Pick<BaseChain, 'rpc' | 'mine'>,
  owner: Hex,
  isCheat = false,
): Promise<Hex> {
  return deploy({ rpc, mine }, encodeDeployData({ abi, bytecode: bytecode as Hex, args: [owner, isCheat] }))
}

async function deploy({ rpc, mine }: Pick<BaseChain, 'rpc' | 'mine'>, data: Hex): Promise<Hex> {
  const hash = await rpc('eth_sendTransaction', [{ from: ADMIN.address, data }])
  const receipt = () => rpc('eth_getTransactionReceipt', [hash])
  if ((await receipt()) === null) await mine()
  return ((await receipt()) as { readonly contractAddress: Hex }).contractAddress
}

type FactoryCall = readonly [
  name: 'create' | 'createAndBurn' | 'createAndCall' | 'addressOf',
  args: readonly [owner: Hex, salt: Hex, ...more: readonly Hex[]],
]

/** A contract that deploys such wallets at addresses known before. Puts Multicall3 where it is on Base, too. */
export async function deployWalletFactory(chain: Pick<BaseChain, 'rpc' | 'mine'>) {
  const { rpc } = chain
  await rpc('hardhat_setCode', [MAINNET.multicall, await rpc('eth_call', [{ data: multicallCode() }, 'latest'])])
  const address = await deploy(chain, factory.bytecode as Hex)
  const encode = (...[functionName, args]: FactoryCall): Hex =>
    encodeFunctionData({ abi: factory.abi as Abi, functionName, args })
  return {
    address,
    encode,
    /** Where `create` deploys the wallet of this owner. */
    async addressOf(owner: Hex, salt: Hex): Promise<Hex> {
      const word = (await rpc('eth_call', [{ to: address, data: encode('addressOf', [owner, salt]) }, 'latest'])) as Hex
      return `0x${word.slice(-40)}`
    },
  }
}
