import type { Child } from './children.ts'
import { type Contestant, DISTURBANCE, type Round, round, waitForCalm } from './contest.ts'
import type { Job } from './load/job.ts'

export type SpeedPlan = {
  readonly connections: number
  /** How often both servers are started anew: what the compiler makes of a program differs from start to start. */
  readonly starts: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Pairs of rounds on a calm machine wanted of every start, and after how many pairs in all it must do. */
  readonly pairs: number
  readonly atMost: number
  /** How long a pair may wait for other programs to finish. */
  readonly patienceSeconds: number
}

/** The rounds of both servers under the same load, in pairs that lie side by side in time. */
export type Duel = {
  readonly bare: readonly Round[]
  readonly onoma: readonly Round[]
  /** Pairs left out because other programs were at work. */
  readonly disturbed: number
  /** False where too few pairs would have been left, and all were used. */
  readonly calm: boolean
}

export type Speed = {
  readonly saturated: Duel
  /** The same at a rate both servers carry easily: what a request takes when it need not queue. */
  readonly moderate: Duel
  readonly moderateRate: number
}

export type Servers = { readonly bare: Contestant; readonly onoma: Contestant }
type Pair = { readonly bare: Round; readonly onoma: Round }

/** The part of what the bare server can carry at which latencies are taken once more. */
const MODERATE = 0.25

export async function measureSpeed(
  generator: Child,
  startServers: () => Promise<Servers>,
  plan: SpeedPlan,
  tell: (what: string) => void,
): Promise<Speed> {
  const { connections, starts, warmUpSeconds, seconds } = plan
  const saturated: Pair[] = []
  const moderate: Pair[] = []
  let rate = 0

  for (let start = 1; start <= starts; start++) {
    const servers = await startServers()
    const fight = async (load: Job['load'], wanted: number, atMost: number): Promise<Pair[]> => {
      const pairs: Pair[] = []
      while (pairs.filter(isCalm).length < wanted && pairs.length < atMost) {
        tell(`start ${start} of ${starts}, pair ${pairs.length + 1}`)
        await waitForCalm(plan.patienceSeconds * 1000)
        const one = (name: keyof Pair) => round(generator, servers[name], connections, load)
        // Whichever goes first may meet a calmer machine: they take turns at it.
        const first = pairs.length % 2 === 0 ? await one('bare') : undefined
        const onoma = await one('onoma')
        pairs.push({ bare: first ?? (await one('bare')), onoma })
      }
      return pairs
    }
    await fight({ seconds: warmUpSeconds }, 1, 1)
    saturated.push(...(await fight({ seconds }, plan.pairs, plan.atMost)))
    rate ||= Math.round(Math.max(...saturated.map(({ bare }) => bare.perSecond)) * MODERATE)
    moderate.push(...(await fight({ seconds, rate }, 1, 3)))
    await Promise.all([servers.bare.child.stop(), servers.onoma.child.stop()])
  }
  return { saturated: toDuel(saturated), moderate: toDuel(moderate), moderateRate: rate }
}

const isCalm = ({ bare, onoma }: Pair): boolean => Math.max(bare.othersBusy, onoma.othersBusy) <= DISTURBANCE

/** Disturbed pairs are left out, unless so few are left that no figure could be taken from them. */
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

/** The middle of the ratios within each pair: both sides of a pair met the same machine. */
export const ratio = ({ bare, onoma }: Pick<Duel, 'bare' | 'onoma'>, figure: (round: Round) => number): number =>
  median(onoma.map((one, pair) => figure(one) / figure(bare[pair]!)))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
