/** Contract calls that viem has no action for. */
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  type PublicClient,
  toHex,
} from 'viem'
import { labelhash, namehash, packetToBytes } from 'viem/ens'
import { MAINNET } from '../../sandbox/chain/addresses.ts'

const REGISTRY = parseAbi(['function owner(bytes32 node) view returns (address)'])
const TOKENS = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function nameExpires(uint256 id) view returns (uint256)',
])
const CONTENT = parseAbi(['function contenthash(bytes32 node) view returns (bytes)'])
const RESOLVE = parseAbi(['function resolve(bytes name, bytes data) view returns (bytes result, address resolver)'])

const GRACE_SECONDS = 90 * 86_400

/** A name is held until the end of its grace period. */
export const isHeld = (expires: bigint): boolean => Number(expires) + GRACE_SECONDS >= Date.now() / 1000

export const isWrapper = (owner: Address): boolean => owner === MAINNET.nameWrapper

export const expiryOf = (client: PublicClient, name: string): Promise<bigint> =>
  client.readContract({
    address: MAINNET.registrar,
    abi: TOKENS,
    functionName: 'nameExpires',
    args: [BigInt(labelhash(name.slice(0, -'.eth'.length)))],
  })

export const registryOwnerOf = (client: PublicClient, name: string): Promise<Address> =>
  client.readContract({ address: MAINNET.registry, abi: REGISTRY, functionName: 'owner', args: [namehash(name)] })

export const wrapperOwnerOf = (client: PublicClient, name: string): Promise<Address> =>
  client.readContract({
    address: MAINNET.nameWrapper,
    abi: TOKENS,
    functionName: 'ownerOf',
    args: [BigInt(namehash(name))],
  })

export const contenthashAt = (client: PublicClient, resolver: Address, name: string): Promise<Hex> =>
  client.readContract({ address: resolver, abi: CONTENT, functionName: 'contenthash', args: [namehash(name)] })

/** Through the universal resolver, so that it can be batched with the other calls. */
export async function contenthashOf(client: PublicClient, name: string): Promise<Hex> {
  const [answer] = await client.readContract({
    address: MAINNET.universalResolver,
    abi: RESOLVE,
    functionName: 'resolve',
    args: [toHex(packetToBytes(name)), encodeFunctionData({ abi: CONTENT, args: [namehash(name)] })],
  })
  return decodeFunctionResult({ abi: CONTENT, data: answer })
}
