import type { Memory, MemorySample } from './memory.ts'
import { ratio, type Speed } from './speed.ts'

export type Verdict = { readonly target: string; readonly measured: string; readonly met: boolean }

const MEGABYTE = 1024 * 1024
const TARGETS = {
  throughput: 0.7,
  p99: 2.5,
  moderateP99: 2,
  idleRss: 130 * MEGABYTE,
  endRss: 200 * MEGABYTE,
  rssGrowth: 16 * MEGABYTE,
  heapGrowth: 2 * MEGABYTE,
}

export function speedVerdicts({ saturated, moderate }: Speed): Verdict[] {
  const throughput = ratio(saturated, (round) => round.perSecond)
  const p99 = ratio(saturated, (round) => round.p99Ms)
  const moderateP99 = ratio(moderate, (round) => round.p99Ms)
  return [
    {
      target: `requests/s at saturation at least ${TARGETS.throughput} × bare`,
      measured: `${throughput.toFixed(2)} ×`,
      met: throughput >= TARGETS.throughput,
    },
    {
      target: `p99 at saturation at most ${TARGETS.p99} × bare`,
      measured: `${p99.toFixed(2)} ×`,
      met: p99 <= TARGETS.p99,
    },
    {
      target: `p99 at a quarter of the load at most ${TARGETS.moderateP99} × bare`,
      measured: `${moderateP99.toFixed(2)} ×`,
      met: moderateP99 <= TARGETS.moderateP99,
    },
  ]
}

/** Growth from the highest value before everything had settled to the end. */
function growth({ samples, plan }: Memory, figure: (sample: MemorySample) => number): number {
  const early = samples.filter(({ requests }) => requests <= plan.settled).map(figure)
  return figure(samples.at(-1)!) - Math.max(...early)
}

export function memoryVerdicts(memory: Memory): Verdict[] {
  const [first, last] = [memory.samples[0]!, memory.samples.at(-1)!]
  const atMost = (when: string, { rssBytes }: MemorySample, limit: number): Verdict => ({
    target: `RSS ${when} at most ${megabytes(limit)}`,
    measured: megabytes(rssBytes),
    met: rssBytes <= limit,
  })
  return [
    atMost('when the service is ready', first, TARGETS.idleRss),
    atMost(`after ${last.requests.toLocaleString('en')} requests`, last, TARGETS.endRss),
    memoryVerdict(memory),
  ]
}

export function memoryVerdict(memory: Memory): Verdict {
  const { requests, addresses, settled } = memory.plan
  // V8 doubles the nursery up to a fixed limit; that is not growth of what the service retains.
  const rss = growth(memory, ({ rssBytes, nurseryBytes }) => rssBytes - nurseryBytes)
  const heap = growth(memory, ({ heapBytes }) => heapBytes)
  const count = (value: number) => value.toLocaleString('en')
  return {
    target:
      `memory flat over ${count(requests)} requests from ${count(addresses)} addresses: after the first ` +
      `${count(settled)} at most +${megabytes(TARGETS.rssGrowth)} RSS without nursery and +${megabytes(TARGETS.heapGrowth)} heap`,
    measured: `${signed(rss)} RSS without nursery, ${signed(heap)} heap`,
    met: rss <= TARGETS.rssGrowth && heap <= TARGETS.heapGrowth,
  }
}

export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(bytes % MEGABYTE === 0 ? 0 : 1)} MB`
const signed = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${megabytes(Math.abs(bytes))}`
