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
import { SANDBOX_ADDRESSES, MAINNET } from './addresses.ts'
import { multicallCode, SANDBOX_CODE, ENS_CODE } from './creation-code.ts'
import type { Rpc } from './node.ts'
import { send } from './send.ts'

/** US dollars per ether with 8 decimals. Not a round number, so that a wrong unit shows. */
const USD_PER_ETHER_E8 = 2_345_67000000n
const MIN_COMMITMENT_AGE_SECONDS = 60n
const MAX_COMMITMENT_AGE_SECONDS = 86_400n
/** No server listens on this port. */
const OFFCHAIN_URL = 'http://127.0.0.1:9/{sender}/{data}.json'

const { registry, registrar, nameWrapper, reverseRegistrar, defaultReverseRegistrar, universalResolver } = MAINNET
const { controller, wrappedController, resolver, wrappedResolver, ethUsdFeed, multicall } = MAINNET
const { priceOracle, wrappedPriceOracle, offchainResolver } = SANDBOX_ADDRESSES

/** Deploys ENS on an empty chain: every contract at its mainnet address, connected with the others. */
export async function deployEns(rpc: Rpc): Promise<void> {
  await construct(rpc, multicall, multicallCode())
  await construct(
    rpc,
    ethUsdFeed,
    SANDBOX_CODE.ethUsdFeed,
    encodeAbiParameters(parseAbiParameters('int256'), [USD_PER_ETHER_E8]),
  )
  await construct(rpc, priceOracle, SANDBOX_CODE.priceOracle, addresses(ethUsdFeed))
  await construct(rpc, wrappedPriceOracle, SANDBOX_CODE.priceOracle, addresses(ethUsdFeed))
  await deployRegistry(rpc)
  await deployControllers(rpc)
  await deployResolvers(rpc)
}

async function deployRegistry(rpc: Rpc): Promise<void> {
  const abi = parseAbi(['function setSubnodeOwner(bytes32 node, bytes32 label, address owner)'])
  const give = (parent: Hex, label: string, owner: Hex) =>
    asAdmin(rpc, registry, encodeFunctionData({ abi, args: [parent, labelhash(label), owner] }))

  await construct(rpc, registry, ENS_CODE.registry)
  await construct(rpc, reverseRegistrar, ENS_CODE.reverseRegistrar, addresses(registry))
  await give(zeroHash, 'reverse', ADMIN.address)
  // The constructors of other contracts look the reverse registrar up here.
  await give(namehash('reverse'), 'addr', reverseRegistrar)
  const args = encodeAbiParameters(parseAbiParameters('address, bytes32'), [registry, namehash('eth')])
  await construct(rpc, registrar, ENS_CODE.baseRegistrar, args)
  await give(zeroHash, 'eth', registrar)
}

async function deployControllers(rpc: Rpc): Promise<void> {
  const needs = parseAbiParameters('address, address, uint256, uint256, address, address, address')
  const ages = [MIN_COMMITMENT_AGE_SECONDS, MAX_COMMITMENT_AGE_SECONDS] as const
  const wrappedControllerArgs = [
    registrar,
    wrappedPriceOracle,
    ...ages,
    reverseRegistrar,
    nameWrapper,
    registry,
  ] as const
  const controllerArgs = [registrar, priceOracle, ...ages, reverseRegistrar, defaultReverseRegistrar, registry] as const
  await construct(rpc, nameWrapper, ENS_CODE.nameWrapper, addresses(registry, registrar, zeroAddress))
  await construct(rpc, wrappedController, ENS_CODE.controller, encodeAbiParameters(needs, wrappedControllerArgs))
  await construct(rpc, defaultReverseRegistrar, SANDBOX_CODE.defaultReverseRegistrar, addresses(controller))
  await construct(rpc, controller, SANDBOX_CODE.controller, encodeAbiParameters(needs, controllerArgs))

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
  await construct(rpc, wrappedResolver, ENS_CODE.publicResolver, needs(wrappedController))
  await construct(rpc, resolver, ENS_CODE.publicResolver, needs(controller))
  const abi = parseAbi(['function setDefaultResolver(address resolver)'])
  await asAdmin(rpc, reverseRegistrar, encodeFunctionData({ abi, args: [resolver] }))
  await construct(rpc, universalResolver, SANDBOX_CODE.universalResolver, addresses(registry))
  const url = encodeAbiParameters(parseAbiParameters('string'), [OFFCHAIN_URL])
  await construct(rpc, offchainResolver, SANDBOX_CODE.offchainResolver, url)
}

/**
 * Deploys a contract at a chosen address. The creation code is placed there and called, so it initializes the storage of
 * that address; the code it returns then replaces it.
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
