import type { Child } from './children.ts'
import { type Contestant, MAX_OTHERS_BUSY, type Round, round, waitForCalm } from './contest.ts'
import type { Job } from './load/job.ts'

export type SpeedPlan = {
  readonly connections: number
  /** How often both servers are restarted: compiled code differs from start to start. */
  readonly starts: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Undisturbed pairs of rounds wanted per start. */
  readonly pairs: number
  /** Pairs per start, including disturbed ones. */
  readonly maxPairs: number
  /** How long a pair waits for other programs to finish. */
  readonly maxWaitSeconds: number
}

/** The rounds of both servers under the same load, in pairs run one after the other. */
export type Duel = {
  readonly bare: readonly Round[]
  readonly onoma: readonly Round[]
  /** Pairs discarded because other programs were busy. */
  readonly disturbed: number
  /** False if too few undisturbed pairs were left, so that all pairs are used. */
  readonly calm: boolean
}

export type Speed = {
  readonly saturated: Duel
  /** At a rate both servers handle easily: the latency of a request that does not queue. */
  readonly moderate: Duel
  readonly moderateRate: number
}

export type Servers = { readonly bare: Contestant; readonly onoma: Contestant }
type Pair = { readonly bare: Round; readonly onoma: Round }

/** The moderate rate as a fraction of the bare server's maximum. */
const MODERATE_RATE_FRACTION = 0.25

export async function measureSpeed(
  generator: Child,
  startServers: () => Promise<Servers>,
  plan: SpeedPlan,
  showProgress: (what: string) => void,
): Promise<Speed> {
  const { connections, starts, warmUpSeconds, seconds } = plan
  const saturated: Pair[] = []
  const moderate: Pair[] = []
  let rate = 0

  for (let start = 1; start <= starts; start++) {
    const servers = await startServers()
    const runPairs = async (load: Job['load'], wanted: number, maxPairs: number): Promise<Pair[]> => {
      const pairs: Pair[] = []
      while (pairs.filter(isCalm).length < wanted && pairs.length < maxPairs) {
        showProgress(`start ${start} of ${starts}, pair ${pairs.length + 1}`)
        await waitForCalm(plan.maxWaitSeconds * 1000)
        const one = (name: keyof Pair) => round(generator, servers[name], connections, load)
        // The first of a pair may find a calmer machine, so the order alternates.
        const first = pairs.length % 2 === 0 ? await one('bare') : undefined
        const onoma = await one('onoma')
        pairs.push({ bare: first ?? (await one('bare')), onoma })
      }
      return pairs
    }
    await runPairs({ seconds: warmUpSeconds }, 1, 1)
    saturated.push(...(await runPairs({ seconds }, plan.pairs, plan.maxPairs)))
    rate ||= Math.round(Math.max(...saturated.map(({ bare }) => bare.perSecond)) * MODERATE_RATE_FRACTION)
    moderate.push(...(await runPairs({ seconds, rate }, 1, 3)))
    await Promise.all([servers.bare.child.stop(), servers.onoma.child.stop()])
  }
  return { saturated: toDuel(saturated), moderate: toDuel(moderate), moderateRate: rate }
}

const isCalm = ({ bare, onoma }: Pair): boolean => Math.max(bare.othersBusy, onoma.othersBusy) <= MAX_OTHERS_BUSY

/** Discards disturbed pairs, unless too few would be left for a figure. */
function toDuel(all: readonly Pair[]): Duel {
  const undisturbed = all.filter(isCalm)
  const calm = undisturbed.length >= 3
  const used = calm ? undisturbed : all
  return {
    bare: used.map(({ bare }) => bare),
    onoma: used.map(({ onoma }) => onoma),
    disturbed: all.length - used.length,
    calm,
  }
}

/** The median of the ratios within each pair, whose two rounds ran under the same conditions. */
export const ratio = ({ bare, onoma }: Pick<Duel, 'bare' | 'onoma'>, figure: (round: Round) => number): number =>
  median(onoma.map((one, pair) => figure(one) / figure(bare[pair]!)))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
