import { table } from '../table.ts'
import { megabytes, type Verdict } from '../verdicts.ts'
import { type Stage, STAGES, type Outcome } from './measure.ts'

const TARGETS = { namesPerSecond: 20_000, modelMicros: 30, comparablesMs: 5, candidates: 500 }
const SERVICE: Stage = 'service, 1,000 at a time'

export function reportValuation({ load, costs, imported, comparables }: Outcome): string[] {
  const split = costs['split into words']
  const rows = STAGES.map((name) => {
    const { wallMicros, cpuMicros } = costs[name]
    return [
      name,
      count(1e6 / cpuMicros),
      cpuMicros.toFixed(2),
      wallMicros.toFixed(2),
      (cpuMicros / split.cpuMicros).toFixed(2),
    ]
  })
  const { sales, ms, bytes } = imported
  return [
    table([['', 'names/s of CPU', 'CPU µs each', 'wall µs each', '× split'], ...rows], 1),
    `model and words: loaded in ${load.ms.toFixed(0)} ms, ${megabytes(load.heapBytes)} on the heap, ${megabytes(load.rssBytes)} more RSS`,
    `sales: ${count(sales)} imported in ${(ms / 1000).toFixed(1)} s (${count((sales * 1000) / ms)}/s), file ${megabytes(bytes)}`,
    `comparables among them: p50 ${comparables.p50Ms.toFixed(2)} ms, p99 ${comparables.p99Ms.toFixed(2)} ms, ` +
      `${comparables.cpuMs.toFixed(2)} ms CPU each, from ${comparables.candidates} candidates (maximum ${comparables.maxCandidates})`,
  ]
}

/** By CPU time: on a shared machine, elapsed time includes other programs. */
export function judgeValuation({ costs, comparables }: Outcome): Verdict[] {
  const perSecond = 1e6 / costs[SERVICE].cpuMicros
  const model = costs['model alone'].cpuMicros
  return [
    {
      target: `at least ${count(TARGETS.namesPerSecond)} names per second of CPU time`,
      measured: count(perSecond),
      met: perSecond >= TARGETS.namesPerSecond,
    },
    {
      target: `at most ${TARGETS.modelMicros} µs of CPU time per name in the model`,
      measured: `${model.toFixed(1)} µs`,
      met: model <= TARGETS.modelMicros,
    },
    {
      target: `comparables in at most ${TARGETS.comparablesMs} ms of CPU time, from at most ${TARGETS.candidates} candidates`,
      measured: `${comparables.cpuMs.toFixed(2)} ms, ${comparables.maxCandidates}`,
      met: comparables.cpuMs <= TARGETS.comparablesMs && comparables.maxCandidates <= TARGETS.candidates,
    },
  ]
}

const count = (value: number): string => Math.round(value).toLocaleString('en')
