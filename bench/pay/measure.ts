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
  type PaidServer,
  startOnoma,
  startPeer,
} from './contestants.ts'
import type { Kind } from './generator.ts'

export type Plan = {
  readonly connections: number
  /** How often all contestants are restarted: compiled code differs from start to start. */
  readonly starts: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Turns of every contestant after each start. */
  readonly turns: number
  /** Maximum wait for an idle machine before a turn. */
  readonly maxWaitSeconds: number
}

/** Rounds of one contestant, one after the other. */
export type Turn = {
  readonly free: Round
  readonly paid: Round
  readonly kept: Round | undefined
  /** Outgoing requests during the unpaid round. */
  readonly outgoing: number
}
export type Flood = Readonly<Partial<Record<ContestantName, readonly Turn[]>>>

type Options = {
  readonly peers: boolean
  readonly profile: string | undefined
  showProgress(what: string): void
}
type Loads = Readonly<Record<'free' | 'paid' | 'kept', Child>>

export const startLoad = (children: Children, kind: Kind): Child =>
  children.start(new URL('generator.ts', import.meta.url), { args: [JSON.stringify(kind)] })

/** Floods every contestant with unpaid requests, and with requests for a free endpoint. */
export async function measureFlood(
  children: Children,
  plan: Plan,
  { peers, profile, showProgress }: Options,
): Promise<Flood> {
  const loads: Loads = {
    free: startLoad(children, { target: FREE, status: 200, clients: 0 }),
    paid: startLoad(children, { target: PAID, status: 402, clients: 0 }),
    kept: startLoad(children, { target: CACHED_TARGET, status: 200, clients: 0 }),
  }
  const flood: Partial<Record<ContestantName, Turn[]>> = {}
  for (let start = 1; start <= plan.starts; start++) {
    // The peers differ by far more than one start from another.
    const servers = await startServers(children, peers && start === 1, profile)
    for (let turn = 0; turn <= plan.turns; turn++) {
      for (const who of CONTESTANTS) {
        const server = servers[who]
        if (!server) continue
        showProgress(
          `start ${start} of ${plan.starts}, ${turn === 0 ? 'warming up' : `turn ${turn} of ${plan.turns}`}: ${who}`,
        )
        if (turn > 0) await waitForCalm(plan.maxWaitSeconds * 1000)
        const load = { seconds: turn === 0 ? plan.warmUpSeconds : plan.seconds }
        const result = await takeTurn(server, turn, (one) => round(loads[one], server[one]!, plan.connections, load))
        if (turn > 0) (flood[who] ??= []).push(result)
      }
    }
    await Promise.all(Object.values(servers).map(({ child }) => child.stop()))
  }
  await Promise.all(Object.values(loads).map((load) => load.stop()))
  return flood
}

async function takeTurn(server: PaidServer, turn: number, run: (load: keyof Loads) => Promise<Round>): Promise<Turn> {
  // The order alternates, so that neither always runs on the calmer machine.
  const first = turn % 2 === 0 ? await run('free') : undefined
  const before = await outgoing(server)
  const paid = await run('paid')
  const asked = (await outgoing(server)) - before
  return { free: first ?? (await run('free')), paid, kept: server.kept && (await run('kept')), outgoing: asked }
}

async function startServers(children: Children, withPeers: boolean, profile: string | undefined) {
  const onoma = await startOnoma(children, profile)
  const servers: Partial<Record<ContestantName, PaidServer>> = { onoma }
  for (const who of withPeers ? PEERS : []) servers[who] = await startPeer(children, who, onoma.free.body)
  return servers
}

/** Leaves out disturbed turns, unless fewer than three would remain. */
export function calmTurns(turns: readonly Turn[]): readonly Turn[] {
  const calm = turns.filter(({ free, paid }) => Math.max(free.othersBusy, paid.othersBusy) <= MAX_OTHERS_BUSY)
  return calm.length >= 3 ? calm : turns
}
