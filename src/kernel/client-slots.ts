/** Gives each client a slot, a number below `max`. A flood of clients cannot grow it: one that is inactive is evicted. */
export type ClientSlots = {
  /** The client's slot. A client without one gets a free slot, or that of a client that has long been inactive. */
  slotFor(client: string): number
  readonly size: number
}

/** Clients compared to find one to evict. */
const EVICTION_SAMPLE = 64

/** `clear` is called when a slot gets another client. */
export function createClientSlots(max: number, clear: (slot: number) => void): ClientSlots {
  const slots = new Map<string, number>()
  const clientAt: string[] = []
  /** When a slot was last used, as a count of requests since the start, so values are unique. */
  const lastUsed = new Float64Array(max)
  let useCount = 0
  let evictionStart = 0

  /**
   * Evicts the least recently seen client among the next few. (An exact order of all clients would allocate on every
   * request.)
   */
  const evict = (): number => {
    let leastRecent = evictionStart
    for (let step = 1; step < EVICTION_SAMPLE; step++) {
      const slot = (evictionStart + step) % max
      if (lastUsed[slot]! < lastUsed[leastRecent]!) leastRecent = slot
    }
    evictionStart = (evictionStart + EVICTION_SAMPLE) % max
    slots.delete(clientAt[leastRecent]!)
    return leastRecent
  }

  return {
    slotFor(client) {
      let slot = slots.get(client)
      if (slot === undefined) {
        slot = slots.size < max ? slots.size : evict()
        slots.set(client, slot)
        clientAt[slot] = client
        clear(slot)
      }
      lastUsed[slot] = ++useCount
      return slot
    },
    get size() {
      return slots.size
    },
  }
}
