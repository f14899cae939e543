import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  labelhash,
  namehash,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
  zeroHash,
} from 'viem'
import { ADMIN } from './accounts.ts'
import { ELSEWHERE, MAINNET } from './addresses.ts'
import { multicallCode, OURS, REAL } from './creation-code.ts'
import type { Rpc } from './node.ts'
import { send } from './send.ts'

/** Dollars for an ether, with 8 decimals: not a round number, so that no mistake in a unit goes unseen. */
const USD_PER_ETHER = 2_345_67000000n
const MIN_COMMITMENT_AGE = 60n
const MAX_COMMITMENT_AGE = 86_400n
/** Nobody listens there. */
const OFFCHAIN_URL = 'http://127.0.0.1:9/{sender}/{data}.json'

const { registry, registrar, nameWrapper, reverseRegistrar, defaultReverseRegistrar, universalResolver } = MAINNET
const { controller, wrappedController, resolver, wrappedResolver, ethUsdFeed, multicall } = MAINNET
const { priceOracle, wrappedPriceOracle, offchainResolver } = ELSEWHERE

/** Puts ENS on an empty chain: every contract at its address, and each knowing the others. */
export async function deployEns(rpc: Rpc): Promise<void> {
  await construct(rpc, multicall, multicallCode())
  await construct(rpc, ethUsdFeed, OURS.ethUsdFeed, encodeAbiParameters(parseAbiParameters('int256'), [USD_PER_ETHER]))
  await construct(rpc, priceOracle, OURS.priceOracle, addresses(ethUsdFeed))
  await construct(rpc, wrappedPriceOracle, OURS.priceOracle, addresses(ethUsdFeed))
  await deployRegistry(rpc)
  await deployControllers(rpc)
  await deployResolvers(rpc)
}

async function deployRegistry(rpc: Rpc): Promise<void> {
  const abi = parseAbi(['function setSubnodeOwner(bytes32 node, bytes32 label, address owner)'])
  const give = (parent: Hex, label: string, owner: Hex) =>
    asAdmin(rpc, registry, encodeFunctionData({ abi, args: [parent, labelhash(label), owner] }))

  await construct(rpc, registry, REAL.registry)
  await construct(rpc, reverseRegistrar, REAL.reverseRegistrar, addresses(registry))
  await give(zeroHash, 'reverse', ADMIN.address)
  // The constructors of other contracts look the reverse registrar up here.
  await give(namehash('reverse'), 'addr', reverseRegistrar)
  const args = encodeAbiParameters(parseAbiParameters('address, bytes32'), [registry, namehash('eth')])
  await construct(rpc, registrar, REAL.baseRegistrar, args)
  await give(zeroHash, 'eth', registrar)
}

async function deployControllers(rpc: Rpc): Promise<void> {
  const needs = parseAbiParameters('address, address, uint256, uint256, address, address, address')
  const ages = [MIN_COMMITMENT_AGE, MAX_COMMITMENT_AGE] as const
  const needsOf2023 = [registrar, wrappedPriceOracle, ...ages, reverseRegistrar, nameWrapper, registry] as const
  const needsOfNow = [registrar, priceOracle, ...ages, reverseRegistrar, defaultReverseRegistrar, registry] as const
  await construct(rpc, nameWrapper, REAL.nameWrapper, addresses(registry, registrar, zeroAddress))
  await construct(rpc, wrappedController, REAL.controller, encodeAbiParameters(needs, needsOf2023))
  await construct(rpc, defaultReverseRegistrar, OURS.defaultReverseRegistrar, addresses(controller))
  await construct(rpc, controller, OURS.controller, encodeAbiParameters(needs, needsOfNow))

  const add = parseAbi(['function addController(address controller)'])
  for (const trusted of [controller, wrappedController, nameWrapper]) {
    await asAdmin(rpc, registrar, encodeFunctionData({ abi: add, args: [trusted] }))
  }
  const set = parseAbi(['function setController(address controller, bool active)'])
  const trust = (who: Hex, trusted: Hex) => asAdmin(rpc, who, encodeFunctionData({ abi: set, args: [trusted, true] }))
  await trust(nameWrapper, wrappedController)
  await trust(reverseRegistrar, wrappedController)
  await trust(reverseRegistrar, controller)
}

async function deployResolvers(rpc: Rpc): Promise<void> {
  const needs = (trusted: Hex) => addresses(registry, nameWrapper, trusted, reverseRegistrar)
  await construct(rpc, wrappedResolver, REAL.publicResolver, needs(wrappedController))
  await construct(rpc, resolver, REAL.publicResolver, needs(controller))
  const abi = parseAbi(['function setDefaultResolver(address resolver)'])
  await asAdmin(rpc, reverseRegistrar, encodeFunctionData({ abi, args: [resolver] }))
  await construct(rpc, universalResolver, OURS.universalResolver, addresses(registry))
  const url = encodeAbiParameters(parseAbiParameters('string'), [OFFCHAIN_URL])
  await construct(rpc, offchainResolver, OURS.offchainResolver, url)
}

/**
 * Makes a contract at an address of our choice. The code that creates it is put there and run there, as if it were the
 * contract: so it fills the right storage, and what it returns is the code that stays.
 */
async function construct(rpc: Rpc, address: Hex, creationCode: Hex, args: Hex = '0x'): Promise<void> {
  await rpc('hardhat_setCode', [address, `${creationCode}${args.slice(2)}`])
  const code = await rpc('eth_call', [{ from: ADMIN.address, to: address }, 'latest'])
  await asAdmin(rpc, address)
  await rpc('hardhat_setCode', [address, code])
}

const asAdmin = (rpc: Rpc, to: Hex, data: Hex = '0x') => send(rpc, { from: ADMIN.address, to, data })

const addresses = (...list: Hex[]): Hex =>
  encodeAbiParameters(
    list.map(() => ({ type: 'address' })),
    list,
  )
