import { CLIENTS_PER_NETWORK, networkOf } from '../client-network.ts'

/**
 * A fair queue: one FIFO queue (lane) per client, and the lanes take turns (round robin). A long lane does not delay the
 * others. A lane that was not in the round goes first, so a client with a single request hardly waits, however many
 * lanes are long. At most `CLIENTS_PER_NETWORK` lanes of one /48 are in the round; its others wait for their places.
 */
export type Lanes<T extends { readonly lane: string }> = {
  add(item: T): void
  /** Adds a retry before the new items of its lane: it has already waited. */
  addRetry(item: T): void
  next(): T | undefined
  /** Whether `next` takes an item of a lane that was not in the round. */
  readonly isNextNew: boolean
  /** Returns whether the item was queued. */
  remove(item: T): boolean
  /** All queued items, in no particular order; they may be removed during the iteration. */
  all(): Iterable<T>
  readonly size: number
}

// Sets: they iterate in insertion order, and delete from the middle in constant time.
type Lane<T> = {
  readonly name: string
  readonly network: Network<T> | undefined
  readonly retries: Set<T>
  readonly fresh: Set<T>
}

/** The lanes of one /48: how many are in the round, and those that wait for a place. */
type Network<T> = { readonly name: string; inRound: number; readonly waiting: Set<Lane<T>> }

/** Lanes that are new to the round get at most this many turns in a row, so that a flood of them starves nobody. */
const MAX_NEW_IN_A_ROW = 10

export function createLanes<T extends { readonly lane: string }>(): Lanes<T> {
  const lanes = new Map<string, Lane<T>>()
  const networks = new Map<string, Network<T>>()
  // The round. A lane that has had its turn is in `served`, even if it is empty, until its next turn would come:
  // otherwise a client that sends one request after another would always be new.
  const arrived = new Set<Lane<T>>()
  const served = new Set<Lane<T>>()
  let newInARow = 0
  let size = 0

  const takesNew = () => arrived.size > 0 && (newInARow < MAX_NEW_IN_A_ROW || served.size === 0)
  const isEmpty = ({ retries, fresh }: Lane<T>) => retries.size + fresh.size === 0

  const laneOf = (name: string): Lane<T> => {
    const known = lanes.get(name)
    if (known) return known
    const lane = { name, network: networkFor(name), retries: new Set<T>(), fresh: new Set<T>() }
    lanes.set(name, lane)
    if (lane.network && lane.network.inRound >= CLIENTS_PER_NETWORK) lane.network.waiting.add(lane)
    else {
      if (lane.network) lane.network.inRound++
      arrived.add(lane)
    }
    return lane
  }
  const networkFor = (lane: string): Network<T> | undefined => {
    const name = networkOf(lane)
    if (name === undefined) return undefined
    const network = networks.get(name) ?? { name, inRound: 0, waiting: new Set() }
    networks.set(name, network)
    return network
  }

  /** Removes a lane from the round; the next lane of its network gets its place. */
  const leaveRound = (lane: Lane<T>): void => {
    arrived.delete(lane)
    served.delete(lane)
    const { network } = lane
    if (!network) return
    const [next] = network.waiting
    if (next) {
      network.waiting.delete(next)
      served.add(next)
    } else if (--network.inRound === 0) networks.delete(network.name)
  }

  /** Moves a lane to the end of the round after its turn. */
  const endTurn = (lane: Lane<T>): void => {
    if (lane.network && lane.network.waiting.size > 0) {
      leaveRound(lane)
      if (isEmpty(lane)) lanes.delete(lane.name)
      else lane.network.waiting.add(lane)
    } else {
      arrived.delete(lane)
      served.delete(lane)
      served.add(lane)
    }
  }

  const forgetRound = (): void => {
    for (const known of [lanes, networks, arrived, served]) known.clear()
    newInARow = 0
  }

  return {
    add(item) {
      laneOf(item.lane).fresh.add(item)
      size++
    },
    addRetry(item) {
      laneOf(item.lane).retries.add(item)
      size++
    },
    next() {
      while (size > 0) {
        const isNew = takesNew()
        const [lane] = isNew ? arrived : served
        if (isEmpty(lane!)) {
          leaveRound(lane!)
          lanes.delete(lane!.name)
          continue
        }
        newInARow = isNew ? newInARow + 1 : 0
        const from = lane!.retries.size > 0 ? lane!.retries : lane!.fresh
        const [item] = from
        from.delete(item!)
        if (--size === 0) forgetRound()
        else endTurn(lane!)
        return item
      }
      return undefined
    },
    remove(item) {
      const lane = lanes.get(item.lane)
      if (!lane?.retries.delete(item) && !lane?.fresh.delete(item)) return false
      if (--size === 0) forgetRound()
      else if (isEmpty(lane) && lane.network?.waiting.delete(lane)) lanes.delete(lane.name)
      return true
    },
    *all() {
      for (const { retries, fresh } of lanes.values()) {
        yield* retries
        yield* fresh
      }
    },
    get isNextNew() {
      return takesNew()
    },
    get size() {
      return size
    },
  }
}
