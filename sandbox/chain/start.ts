import { setTimeout as sleep } from 'node:timers/promises'
import { numberToHex } from 'viem'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import type { Wait } from '../simulator.ts'
import { WALLET } from './accounts.ts'
import { deployEns } from './deploy.ts'
import type { NameAtStart, RegisteredName } from './names.ts'
import { type Node, startNode } from './node.ts'
import { AGE_OF_CHAIN, registerNames } from './registrations.ts'

/** Ethereum mainnet in this process: a real node, ENS at its addresses, a few names, and a wallet with test ether. */
export type Chain = Node & {
  /** Settings that make the service ask here: two nodes, because transactions need two that agree. */
  readonly settings: { readonly ONOMA_ETH_RPC_URLS: string }
  /** Holds some of the names, and 10,000 ether that are worth nothing. Everybody knows its key. */
  readonly wallet: typeof WALLET
  /** What was registered at the start, by name. */
  readonly names: Readonly<Record<NameAtStart, RegisteredName>>
  /** Lets time pass at once: the next block, which is made now, is so much later. */
  increaseTime(seconds: number): Promise<void>
  /** Makes a block with all that is waiting. */
  mine(): Promise<void>
  /** Whether each transaction makes a block of its own or waits for one. It does at first, without `blockSeconds`. */
  setAutomine(on: boolean): Promise<void>
}

export type ChainOptions = {
  readonly clock?: Clock
  readonly wait?: Wait
  /**
   * Blocks come every so many seconds, as outside. Without it each transaction makes one of its own, and the chain's
   * time stands still in between.
   */
  readonly blockSeconds?: number
}

const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

export async function startChain(options: ChainOptions = {}): Promise<Chain> {
  const { clock = systemClock, wait = realWait, blockSeconds = 0 } = options
  const now = Math.floor(clock.now() / 1000)
  const node = await startNode({ genesis: new Date((now - AGE_OF_CHAIN) * 1000), wait })
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
