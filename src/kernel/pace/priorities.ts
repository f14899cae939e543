import { createLanes, type Lanes } from './lanes.ts'

type Queued = { readonly lane: string; readonly lowPriority: boolean }

/**
 * The queue of a host. Clients take turns (see `lanes.ts`). Low-priority requests have lanes of their own, and all of
 * them together get at most a quarter of the host: of its rate if it has a limit, of the turns while others wait, and of
 * the concurrent requests.
 */
export type HostLanes<T extends Queued> = Omit<Lanes<T>, 'next' | 'isNextNew'> & {
  /** How long until `next` has a request: Infinity if an attempt must end first. `rate` is per second, if limited. */
  waitMs(now: number, rate: number | undefined): number
  /** Call it only if `waitMs` is 0. */
  next(now: number, rate: number | undefined): T
  /** Whether `next` takes a request of a client that was not in the round, and that may not wait. */
  isNextNew(now: number, rate: number | undefined): boolean
  /** An attempt of a request from `next` has ended. */
  ended(item: T): void
  /** Whether requests wait that may use the whole rate. */
  readonly isBusy: boolean
}

/** Low-priority requests get one turn in this many. */
const LOW_PRIORITY_SHARE = 4

export function createHostLanes<T extends Queued>(maxConcurrent: () => number): HostLanes<T> {
  const normal = createLanes<T>()
  const low = createLanes<T>()
  const maxLowUnderWay = () => Math.max(Math.floor(maxConcurrent() / LOW_PRIORITY_SHARE), 1)
  let lowUnderWay = 0
  let lowSentAt = -Infinity
  let turnsSinceLow = LOW_PRIORITY_SHARE

  const lanesFor = (item: T) => (item.lowPriority ? low : normal)
  const lowWaitMs = (now: number, rate: number | undefined): number => {
    if (low.size === 0 || lowUnderWay >= maxLowUnderWay()) return Infinity
    if (rate !== undefined) return Math.max(lowSentAt + (LOW_PRIORITY_SHARE * 1000) / rate - now, 0)
    return normal.size > 0 && turnsSinceLow < LOW_PRIORITY_SHARE ? Infinity : 0
  }

  return {
    add: (item) => lanesFor(item).add(item),
    addRetry: (item) => lanesFor(item).addRetry(item),
    remove: (item) => lanesFor(item).remove(item),
    waitMs: (now, rate) => (normal.size > 0 ? 0 : lowWaitMs(now, rate)),
    next(now, rate) {
      if (lowWaitMs(now, rate) > 0) {
        turnsSinceLow++
        return normal.next()!
      }
      turnsSinceLow = 1
      lowSentAt = now
      lowUnderWay++
      return low.next()!
    },
    isNextNew: (now, rate) => lowWaitMs(now, rate) > 0 && normal.isNextNew,
    ended(item) {
      if (item.lowPriority) lowUnderWay--
    },
    *all() {
      yield* normal.all()
      yield* low.all()
    },
    get size() {
      return normal.size + low.size
    },
    get isBusy() {
      return normal.size > 0
    },
  }
}
