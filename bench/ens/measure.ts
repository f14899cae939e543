import { WALLET } from '../../sandbox/chain/accounts.ts'
import { startChain } from '../../sandbox/chain/start.ts'
import type { Children } from '../children.ts'
import { waitForCalm } from '../contest.ts'
import {
  CONTESTANTS,
  type ContestantName,
  type Contestants,
  mustAgree,
  startContestants,
  stopContestants,
} from './contestants.ts'
import { FREE_NAME, registerBenchNames } from './names.ts'
import { postRequest } from './requests.ts'
import { drive, requestsFor, type Round, round, type Staff, tellNode } from './rounds.ts'

export type Plan = {
  readonly connections: number
  /** Names registered for this; more than are asked about at once, so that nobody waits for another's answer. */
  readonly names: number
  /** How often all contestants are started anew: what the compiler makes of a program differs from start to start. */
  readonly starts: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Rounds of every contestant after each start. */
  readonly rounds: number
  readonly patienceSeconds: number
  readonly latencyMs: number
  /** Requests of one connection in each of the rounds with that latency. */
  readonly slowRequests: number
}

/** Milliseconds of one request after the other, each the middle of a round; all rounds side by side in time. */
export type Slow = Readonly<Record<ContestantName | 'roundTrip' | 'prepareCommit', readonly number[]>>

export type Outcome = {
  readonly rounds: Readonly<Record<ContestantName, readonly Round[]>>
  readonly slow: Slow
  readonly latencyMs: number
}

const SLOW_ROUNDS = 3
const PREPARE_COMMIT = postRequest('/v1/ens/register/prepare-commit', { name: FREE_NAME, owner: WALLET.address })
const ROUND_TRIP = postRequest('/', { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })

export async function measureEns(
  children: Children,
  plan: Plan,
  { profile, tell }: { readonly profile: string | undefined; tell(what: string): void },
): Promise<Outcome> {
  const node = children.start(new URL('node.ts', import.meta.url))
  const rpcUrl = String((await node.line('url'))['url'])
  const generator = children.start(new URL('generator.ts', import.meta.url))
  const staff: Staff = { generator, node }
  tell('a chain, names on it, and what everybody asks about them')
  const names = await teach(children, staff, rpcUrl, plan.names)
  await tellNode(node, { ask: 'replay', latencyMs: 0 })
  const rounds: Record<ContestantName, Round[]> = {
    onoma: [],
    ensjs: [],
    'viem batched': [],
    'viem one by one': [],
  }
  let slow: Slow | undefined
  for (let start = 1; start <= plan.starts; start++) {
    const contestants = await startContestants(children, rpcUrl, profile)
    const all = async (seconds: number, turn: number) => {
      for (const [at] of CONTESTANTS.entries()) {
        // Whoever goes first may meet a calmer machine: they take turns at it.
        const who = CONTESTANTS[(at + turn) % CONTESTANTS.length]!
        const requests = requestsFor(contestants[who], names)
        const result = await round(staff, contestants[who], {
          connections: plan.connections,
          requests,
          load: { seconds },
        })
        if (turn > 0) rounds[who].push(result)
      }
    }
    tell(`start ${start} of ${plan.starts}: warming up`)
    await all(plan.warmUpSeconds, 0)
    for (let turn = 1; turn <= plan.rounds; turn++) {
      tell(`start ${start} of ${plan.starts}: round ${turn} of ${plan.rounds}`)
      await waitForCalm(plan.patienceSeconds * 1000)
      await all(plan.seconds, turn)
    }
    if (start === plan.starts) {
      tell(`with a node that takes ${plan.latencyMs} ms`)
      slow = await measureSlow(staff, contestants, { rpcUrl, names, plan })
    }
    await stopContestants(contestants)
  }
  await Promise.all([node.stop(), generator.stop()])
  return { rounds, slow: slow!, latencyMs: plan.latencyMs }
}

/** Everybody asks everything once of a real chain, through the node that remembers it. */
async function teach(children: Children, { generator, node }: Staff, rpcUrl: string, count: number): Promise<string[]> {
  const chain = await startChain()
  try {
    const names = await registerBenchNames(chain, count)
    await tellNode(node, { ask: 'learn', from: chain.url })
    const contestants = await startContestants(children, rpcUrl, undefined)
    await mustAgree(contestants, names)
    await drive(generator, contestants.onoma.url, {
      connections: 1,
      requests: [PREPARE_COMMIT],
      load: { requests: 1 },
    })
    await stopContestants(contestants)
    return names
  } finally {
    await chain.stop()
  }
}

type SlowNeeds = { readonly rpcUrl: string; readonly names: readonly string[]; readonly plan: Plan }

async function measureSlow({ generator, node }: Staff, contestants: Contestants, needs: SlowNeeds): Promise<Slow> {
  const { rpcUrl, names, plan } = needs
  await tellNode(node, { ask: 'replay', latencyMs: plan.latencyMs })
  const middle = async (url: string, requests: readonly string[], count: number) => {
    const load = { requests: count }
    return (await drive(generator, url, { connections: 1, requests, load })).p50Ms
  }
  const slow: Record<keyof Slow, number[]> = {
    roundTrip: [],
    onoma: [],
    ensjs: [],
    'viem batched': [],
    'viem one by one': [],
    prepareCommit: [],
  }
  for (let turn = 0; turn <= SLOW_ROUNDS; turn++) {
    const count = plan.slowRequests
    const results: [keyof Slow, number][] = [['roundTrip', await middle(rpcUrl, [ROUND_TRIP], count)]]
    for (const who of CONTESTANTS) {
      const requests = requestsFor(contestants[who], names)
      results.push([who, await middle(contestants[who].url, requests, who === 'viem one by one' ? count / 4 : count)])
    }
    results.push(['prepareCommit', await middle(contestants.onoma.url, [PREPARE_COMMIT], count / 2)])
    // The first is to warm up: connections are opened, and preparing has not been done before.
    if (turn > 0) for (const [what, ms] of results) slow[what].push(ms)
  }
  const { unknown } = await tellNode(node, { ask: 'replay', latencyMs: 0 })
  if (unknown > 0) throw new Error('The node was asked something that it had not heard before.')
  return slow
}
