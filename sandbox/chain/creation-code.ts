import { readFileSync } from 'node:fs'
import baseRegistrar from '@unstoppabledomains/uns/artifacts/BaseRegistrarImplementation.json' with { type: 'json' }
import registry from '@unstoppabledomains/uns/artifacts/ENSRegistry.json' with { type: 'json' }
import controller from '@unstoppabledomains/uns/artifacts/ETHRegistrarController.json' with { type: 'json' }
import nameWrapper from '@unstoppabledomains/uns/artifacts/NameWrapper.json' with { type: 'json' }
import publicResolver from '@unstoppabledomains/uns/artifacts/PublicResolver.json' with { type: 'json' }
import reverseRegistrar from '@unstoppabledomains/uns/artifacts/ReverseRegistrar.json' with { type: 'json' }
import type { Hex } from 'viem'
import compiled from './compiled.json' with { type: 'json' }

/** ENS's own contracts, from the published artifacts of a project that builds on them. */
export const ENS_CODE = {
  registry: registry.bytecode as Hex,
  baseRegistrar: baseRegistrar.bytecode as Hex,
  /** The controller of 2023. */
  controller: controller.bytecode as Hex,
  nameWrapper: nameWrapper.bytecode as Hex,
  publicResolver: publicResolver.bytecode as Hex,
  reverseRegistrar: reverseRegistrar.bytecode as Hex,
}

/** Our replacements for contracts that are not published in compiled form. */
export const SANDBOX_CODE = {
  controller: compiled.RegistrarController.bytecode as Hex,
  defaultReverseRegistrar: compiled.DefaultReverseRegistrar.bytecode as Hex,
  priceOracle: compiled.PremiumPriceOracle.bytecode as Hex,
  ethUsdFeed: compiled.EthUsdFeed.bytecode as Hex,
  universalResolver: compiled.UniversalResolver.bytecode as Hex,
  offchainResolver: compiled.OffchainResolver.bytecode as Hex,
}

/** The bytecode of Multicall3. viem contains it but does not export it, so it is read from viem's file. */
export function multicallCode(): Hex {
  const file = new URL('./constants/contracts.js', import.meta.resolve('viem'))
  const [, code] = /multicall3Bytecode = '(0x[0-9a-f]+)'/.exec(readFileSync(file, 'utf8')) ?? []
  if (code === undefined) throw new Error('The bytecode of Multicall3 is no longer in constants/contracts.js of viem.')
  return code as Hex
}
