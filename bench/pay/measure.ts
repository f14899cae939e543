import type { Child, Children } from '../children.ts'
import { MAX_OTHERS_BUSY, type Round, round, waitForCalm } from '../contest.ts'
import {
  CONTESTANTS,
  type ContestantName,
  FREE,
  CACHED_TARGET,
  outgoing,
  PAID,
  PEERS,
  type Shop,
  startOnoma,
  startPeer,
} from './contestants.ts'
import type { Kind } from './generator.ts'

export type Plan = {
  readonly connections: number
  /** How often all contestants are started anew: what the compiler makes of a program differs from start to start. */
  readonly starts: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Turns of every contestant after each start. */
  readonly turns: number
  /** How long a turn may wait for other programs to finish. */
  readonly patienceSeconds: number
}

/** Rounds of one contestant, side by side in time. */
export type Turn = {
  readonly free: Round
  readonly paid: Round
  readonly kept: Round | undefined
  /** What it asked of others while nobody paid. */
  readonly outgoing: number
}
export type Flood = Readonly<Partial<Record<ContestantName, readonly Turn[]>>>

type Options = {
  readonly peers: boolean
  readonly profile: string | undefined
  tell(what: string): void
}
type Loads = Readonly<Record<'free' | 'paid' | 'kept', Child>>

export const startLoad = (children: Children, kind: Kind): Child =>
  children.start(new URL('generator.ts', import.meta.url), { args: [JSON.stringify(kind)] })

/** Floods every contestant with requests that do not pay, and with as many for something free. */
export async function measureFlood(children: Children, plan: Plan, { peers, profile, tell }: Options): Promise<Flood> {
  const loads: Loads = {
    free: startLoad(children, { target: FREE, status: 200, clients: 0 }),
    paid: startLoad(children, { target: PAID, status: 402, clients: 0 }),
    kept: startLoad(children, { target: CACHED_TARGET, status: 200, clients: 0 }),
  }
  const flood: Partial<Record<ContestantName, Turn[]>> = {}
  for (let start = 1; start <= plan.starts; start++) {
    const shops = await startShops(children, peers, profile)
    for (let turn = 0; turn <= plan.turns; turn++) {
      for (const who of CONTESTANTS) {
        const shop = shops[who]
        if (!shop) continue
        tell(`start ${start} of ${plan.starts}, ${turn === 0 ? 'warming up' : `turn ${turn} of ${plan.turns}`}: ${who}`)
        if (turn > 0) await waitForCalm(plan.patienceSeconds * 1000)
        const load = { seconds: turn === 0 ? plan.warmUpSeconds : plan.seconds }
        const result = await takeTurn(shop, turn, (one) => round(loads[one], shop[one]!, plan.connections, load))
        if (turn > 0) (flood[who] ??= []).push(result)
      }
    }
    await Promise.all(Object.values(shops).map(({ child }) => child.stop()))
  }
  await Promise.all(Object.values(loads).map((load) => load.stop()))
  return flood
}

async function takeTurn(shop: Shop, turn: number, run: (load: keyof Loads) => Promise<Round>): Promise<Turn> {
  // Whichever goes first may meet a calmer machine: they take turns at it.
  const first = turn % 2 === 0 ? await run('free') : undefined
  const before = await outgoing(shop)
  const paid = await run('paid')
  const asked = (await outgoing(shop)) - before
  return { free: first ?? (await run('free')), paid, kept: shop.kept && (await run('kept')), outgoing: asked }
}

async function startShops(children: Children, withPeers: boolean, profile: string | undefined) {
  const onoma = await startOnoma(children, profile)
  const shops: Partial<Record<ContestantName, Shop>> = { onoma }
  for (const who of withPeers ? PEERS : []) shops[who] = await startPeer(children, who, onoma.free.body)
  return shops
}

/** Disturbed turns are left out, unless so few are left that no figure could be taken from them. */
export function calmTurns(turns: readonly Turn[]): readonly Turn[] {
  const calm = turns.filter(({ free, paid }) => Math.max(free.othersBusy, paid.othersBusy) <= MAX_OTHERS_BUSY)
  return calm.length >= 3 ? calm : turns
}
