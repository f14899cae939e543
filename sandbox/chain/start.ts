import { setTimeout as sleep } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { Wait } from '../simulator.ts'
import { WALLET } from './accounts.ts'
import { deployEns } from './deploy.ts'
import type { InitialEnsName, RegisteredName } from './names.ts'
import { type Node, startNode } from './node.ts'
import { CHAIN_AGE_SECONDS, registerNames } from './registrations.ts'

/** Ethereum mainnet in this process: a real node, ENS at its addresses, a few names, and a wallet with test ether. */
export type Chain = Node & {
  /** Settings that point the service here: two nodes, because it prepares transactions only if two agree. */
  readonly settings: { readonly ONOMA_ETH_RPC_URLS: string }
  /** Owns some of the names, and 10,000 worthless ether. Its key is public. */
  readonly wallet: typeof WALLET
  /** The initial names, by name. */
  readonly names: Readonly<Record<InitialEnsName, RegisteredName>>
  /** Mines a block whose timestamp is this much later. */
  increaseTime(seconds: number): Promise<void>
  /** Mines a block with all pending transactions. */
  mine(): Promise<void>
  /** Whether each transaction is mined at once in its own block. Initially on, unless `blockSeconds` is set. */
  setAutomine(on: boolean): Promise<void>
}

export type ChainOptions = {
  readonly clock?: Clock
  readonly wait?: Wait
  /**
   * Block interval, as on mainnet. Without it each transaction is mined in its own block, and the time of the chain
   * stands still in between.
   */
  readonly blockSeconds?: number
}

const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const { clock = systemClock, wait = realWait, blockSeconds = 0 } = options
  const now = Math.floor(clock.now() / 1000)
  const node = await startNode({ genesis: new Date((now - CHAIN_AGE_SECONDS) * 1000), wait })
  const { rpc } = node
  const mine = async () => {
    await rpc('evm_mine')
  }
  try {
    await deployEns(rpc)
    const names = await registerNames(rpc, now)
    await rpc('evm_setNextBlockTimestamp', [numberToHex(now)])
    await mine()
    if (blockSeconds > 0) {
      await rpc('evm_setAutomine', [false])
      await rpc('evm_setIntervalMining', [blockSeconds * 1000])
    }
    return {
      ...node,
      settings: { ONOMA_ETH_RPC_URLS: `${node.url},${node.secondUrl}` },
      wallet: WALLET,
      names,
      mine,
      async increaseTime(seconds) {
        await rpc('evm_increaseTime', [seconds])
        await mine()
      },
      async setAutomine(on) {
        await rpc('evm_setAutomine', [on])
      },
    }
  } catch (error) {
    await node.stop()
    throw error
  }
}
