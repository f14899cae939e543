import type { Child } from './children.ts'
import { type Contestant, round } from './contest.ts'
import type { Usage } from './servers/gauge.ts'

export type MemoryPlan = {
  readonly connections: number
  readonly requests: number
  readonly addresses: number
  /** Requests after which everything that is created once exists. */
  readonly settled: number
  readonly step: number
}

export type MemorySample = Pick<Usage, 'rssBytes' | 'heapBytes' | 'nurseryBytes'> & { readonly requests: number }

export type Memory = {
  readonly plan: MemoryPlan
  readonly samples: readonly MemorySample[]
  readonly perSecond: number
  readonly cpuMicrosPerRequest: number
}

/** Sends requests from many addresses and samples the service's memory after every step. */
export async function measureMemory(
  generator: Child,
  onoma: Contestant,
  plan: MemoryPlan,
  showProgress: (what: string) => void,
): Promise<Memory> {
  const samples: MemorySample[] = []
  const rounds: { seconds: number; cpuMicros: number }[] = []
  const sample = async (requests: number): Promise<void> => {
    const { rssBytes, heapBytes, nurseryBytes } = await onoma.child.usage({ collect: true })
    samples.push({ requests, rssBytes, heapBytes, nurseryBytes })
  }
  await sample(0)
  for (let done = 0; done < plan.requests; done += plan.step) {
    showProgress(`memory, ${done} of ${plan.requests} requests`)
    const one = await round(generator, onoma, plan.connections, { requests: plan.step })
    rounds.push({ seconds: one.requests / one.perSecond, cpuMicros: one.cpuMicrosPerRequest * one.requests })
    await sample(done + plan.step)
  }
  const total = (figure: (round: (typeof rounds)[number]) => number) =>
    rounds.reduce((sum, one) => sum + figure(one), 0)
  return {
    plan,
    samples,
    perSecond: plan.requests / total((one) => one.seconds),
    cpuMicrosPerRequest: total((one) => one.cpuMicros) / plan.requests,
  }
}
