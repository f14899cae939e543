import { encodeAbiParameters } from '../../kernel/ethereum/abi.ts'
import type { Hex } from '../scheme.ts'
import { REVERTED, RpcFault } from './rpc.ts'
import { parseAddress } from './rpc-values.ts'

/** The balances of one token. Their sum always equals the supply. */
export type Balances = {
  balanceOf(address: string): bigint
  /** Mints new money. */
  fund(address: string, units: bigint): void
  /** False, without any change, if the balance is too small. */
  move(from: Hex, to: Hex, units: bigint): boolean
  supply(): bigint
}

export function createBalances(): Balances {
  const units = new Map<Hex, bigint>()
  let supply = 0n
  const balanceOf = (address: string) => units.get(parseAddress(address)) ?? 0n
  const add = (address: Hex, more: bigint) => {
    const rest = balanceOf(address) + more
    if (rest === 0n) units.delete(address)
    else units.set(address, rest)
  }
  return {
    balanceOf,
    fund(address, more) {
      if (more < 0n) throw new RangeError('funding must not be negative')
      add(parseAddress(address), more)
      supply += more
    },
    move(from, to, amount) {
      if (amount < 0n || balanceOf(from) < amount) return false
      add(parseAddress(from), -amount)
      add(parseAddress(to), amount)
      return true
    },
    supply: () => supply,
  }
}

/** A revert with `Error(string)`; the reason is in the data and in the node's message. */
export function revertWith(reason: string): RpcFault {
  const data = `0x08c379a0${encodeAbiParameters([{ type: 'string' }], [reason]).slice(2)}`
  return new RpcFault(REVERTED, `execution reverted: ${reason}`, data)
}

/** Runs async work one at a time, so that no other work sees a half-changed state. */
export function createMutex(): <T>(work: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = tail.then(work)
    tail = turn.catch(() => {})
    return turn
  }
}

/** Ids that must not be used again before they expire. */
export type ReplayGuard = {
  has(name: string): boolean
  /** Throws if it is full. Called before the state changes. */
  assertCapacity(now: number): void
  add(name: string, expiresAt: number): void
}

export function createReplayGuard(capacity: number): ReplayGuard {
  const expiries = new Map<string, number>()
  return {
    has: (name) => expiries.has(name),
    assertCapacity(now) {
      if (expiries.size < capacity) return
      for (const [name, expiresAt] of expiries) if (expiresAt <= now) expiries.delete(name)
      if (expiries.size >= capacity) throw new RpcFault(-32_000, 'txpool is full')
    },
    add: (name, expiresAt) => void expiries.set(name, expiresAt),
  }
}
