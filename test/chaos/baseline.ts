import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../support/service-process.ts'

/** What a service holds when it has nothing to do. */
export type Use = { readonly descriptors: number; readonly heapBytes: number }

const MAX_DESCRIPTORS_ABOVE = 24
const MAX_HEAP_GROWTH = 1.35
const HEAP_MARGIN_BYTES = 24e6

export const measureUse = async (service: ServiceProcess): Promise<Use> => ({
  descriptors: service.descriptors(),
  heapBytes: (await service.usage()).heapBytes,
})

export const describeUse = ({ descriptors, heapBytes }: Use): string =>
  `${descriptors} descriptors, ${Math.round(heapBytes / 1e6)} MB of heap`

/** Idle connections close after a while, so what is left is asked for repeatedly. Returns a sentence if it stays too much. */
export async function expectBaseline(
  service: ServiceProcess,
  calm: Use | undefined,
  timeoutMs: number,
): Promise<string[]> {
  if (!calm) return []
  const endsAt = performance.now() + timeoutMs
  const isBack = ({ descriptors, heapBytes }: Use) =>
    descriptors <= calm.descriptors + MAX_DESCRIPTORS_ABOVE &&
    heapBytes <= calm.heapBytes * MAX_HEAP_GROWTH + HEAP_MARGIN_BYTES
  let now = await measureUse(service)
  while (!isBack(now) && performance.now() < endsAt) {
    await sleep(500)
    now = await measureUse(service)
  }
  return isBack(now) ? [] : [`Not back at the base line (${describeUse(calm)}): ${describeUse(now)}.`]
}
