import { median } from '../speed.ts'
import type { Verdict } from '../verdicts.ts'

/** Figures of one round of one contestant. */
export type Round = { readonly ms: number; readonly cpuMicros: number; readonly wrong: number }
/** The rounds of each contestant; rounds with the same index ran one after the other. */
export type Rounds = ReadonlyMap<string, readonly Round[]>

/** Node's resolver needed 34 µs where the target is 32 µs. */
const MAX_LIST_CPU = 0.94
/** 29 on a calm machine. The peer's time is mostly a fixed timeout, so that on a busy machine the ratio is lower. */
const MIN_BURST_SPEED = 10

export const PEER = 'dns.Resolver'
export const OURS = 'onoma'

/** The median over the rounds of ours divided by the peer's. */
function timesPeer(rounds: Rounds, figure: (round: Round) => number): number {
  const peers = rounds.get(PEER)!
  return median(rounds.get(OURS)!.map((round, at) => figure(round) / figure(peers[at]!)))
}

export function dnsVerdicts({ bursts, lists }: { readonly bursts: Rounds; readonly lists: Rounds }): Verdict[] {
  const burstSpeed = 1 / timesPeer(bursts, (round) => round.ms)
  const listSpeed = 1 / timesPeer(lists, (round) => round.ms)
  const listCpu = timesPeer(lists, (round) => round.cpuMicros)
  const wrong = [bursts, lists].flatMap((rounds) => rounds.get(OURS)!).reduce((sum, round) => sum + round.wrong, 0)
  return [
    {
      target: `a list at least as fast as with ${PEER}`,
      measured: `${listSpeed.toFixed(2)} × its rate`,
      met: listSpeed >= 1,
    },
    {
      target: `a list with at most ${MAX_LIST_CPU} × the CPU of ${PEER}`,
      measured: `${listCpu.toFixed(2)} ×`,
      met: listCpu <= MAX_LIST_CPU,
    },
    {
      target: `a burst at least ${MIN_BURST_SPEED} × as fast as with ${PEER}`,
      measured: `${burstSpeed.toFixed(1)} ×`,
      met: burstSpeed >= MIN_BURST_SPEED,
    },
    { target: 'no answer wrong or lost', measured: String(wrong), met: wrong === 0 },
  ]
}
