import type { Memory } from './memory.ts'
import { ratio, type Speed } from './speed.ts'

export type Verdict = { readonly target: string; readonly measured: string; readonly met: boolean }

const MEGABYTE = 1024 * 1024
export const TARGETS = { throughput: 0.65, p99: 2.5, rssGrowth: 16 * MEGABYTE, heapGrowth: 2 * MEGABYTE }

export function speedVerdicts({ saturated }: Speed): Verdict[] {
  const throughput = ratio(saturated, (round) => round.perSecond)
  const p99 = ratio(saturated, (round) => round.p99Ms)
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
  ]
}

/** How much more is in use at the end than at the worst moment before everything had settled. */
export function growth({ samples, plan }: Memory, figure: 'rssBytes' | 'heapBytes'): number {
  const early = samples.filter(({ requests }) => requests <= plan.settled).map((sample) => sample[figure])
  return samples.at(-1)![figure] - Math.max(...early)
}

export function memoryVerdict(memory: Memory): Verdict {
  const { requests, addresses, settled } = memory.plan
  const rss = growth(memory, 'rssBytes')
  const heap = growth(memory, 'heapBytes')
  const count = (value: number) => value.toLocaleString('en')
  return {
    target:
      `memory flat over ${count(requests)} requests from ${count(addresses)} addresses: after the first ` +
      `${count(settled)} at most +${megabytes(TARGETS.rssGrowth)} RSS and +${megabytes(TARGETS.heapGrowth)} heap`,
    measured: `${signed(rss)} RSS, ${signed(heap)} heap`,
    met: rss <= TARGETS.rssGrowth && heap <= TARGETS.heapGrowth,
  }
}

export const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(bytes % MEGABYTE === 0 ? 0 : 1)} MB`
const signed = (bytes: number): string => `${bytes < 0 ? '−' : '+'}${megabytes(Math.abs(bytes))}`
