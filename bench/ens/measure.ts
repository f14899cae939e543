import { WALLET } from '../../sandbox/chain/accounts.ts'
import { startChain } from '../../sandbox/chain/start.ts'
import type { Children } from '../children.ts'
import { waitForCalm } from '../contest.ts'
import {
  CONTESTANTS,
  type ContestantName,
  type Contestants,
  assertSameMetadata,
  startContestants,
  stopContestants,
} from './contestants.ts'
import { FREE_NAME, registerBenchNames } from './register-names.ts'
import { postRequest } from './requests.ts'
import { drive, requestsFor, type Round, round, type Harness, controlNode } from './rounds.ts'

export type Plan = {
  readonly connections: number
  /** Names to register: more than are requested concurrently, so that no two requests share a lookup. */
  readonly names: number
  /** How often all contestants are restarted: compiled code differs from start to start. */
  readonly starts: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** Rounds per contestant and start. */
  readonly rounds: number
  readonly maxWaitSeconds: number
  readonly latencyMs: number
  /** Requests on one connection in each round with that latency. */
  readonly slowRequests: number
}

/** Median latency of sequential requests in each round, in milliseconds. */
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
  { profile, showProgress }: { readonly profile: string | undefined; showProgress(what: string): void },
): Promise<Outcome> {
  const node = children.start(new URL('replay-node.ts', import.meta.url))
  const rpcUrl = String((await node.line('url'))['url'])
  const generator = children.start(new URL('generator.ts', import.meta.url))
  const harness: Harness = { generator, node }
  showProgress('recording what the contestants request from a chain')
  const names = await recordRequests(children, harness, rpcUrl, plan.names)
  await controlNode(node, { ask: 'replay', latencyMs: 0 })
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
        // The first of a round may find a calmer machine, so the order rotates.
        const who = CONTESTANTS[(at + turn) % CONTESTANTS.length]!
        const requests = requestsFor(contestants[who], names)
        const result = await round(harness, contestants[who], {
          connections: plan.connections,
          requests,
          load: { seconds },
        })
        if (turn > 0) rounds[who].push(result)
      }
    }
    showProgress(`start ${start} of ${plan.starts}: warming up`)
    await all(plan.warmUpSeconds, 0)
    for (let turn = 1; turn <= plan.rounds; turn++) {
      showProgress(`start ${start} of ${plan.starts}: round ${turn} of ${plan.rounds}`)
      await waitForCalm(plan.maxWaitSeconds * 1000)
      await all(plan.seconds, turn)
    }
    if (start === plan.starts) {
      showProgress(`with a node that takes ${plan.latencyMs} ms`)
      slow = await measureSlow(harness, contestants, { rpcUrl, names, plan })
    }
    await stopContestants(contestants)
  }
  await Promise.all([node.stop(), generator.stop()])
  return { rounds, slow: slow!, latencyMs: plan.latencyMs }
}

/** Every contestant sends every request once to a real chain, through the node that records the answers. */
async function recordRequests(
  children: Children,
  { generator, node }: Harness,
  rpcUrl: string,
  count: number,
): Promise<string[]> {
  const chain = await startChain()
  try {
    const names = await registerBenchNames(chain, count)
    await controlNode(node, { ask: 'record', from: chain.url })
    const contestants = await startContestants(children, rpcUrl, undefined)
    await assertSameMetadata(contestants, names)
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

async function measureSlow({ generator, node }: Harness, contestants: Contestants, needs: SlowNeeds): Promise<Slow> {
  const { rpcUrl, names, plan } = needs
  await controlNode(node, { ask: 'replay', latencyMs: plan.latencyMs })
  const medianMs = async (url: string, requests: readonly string[], count: number) => {
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
    const results: [keyof Slow, number][] = [['roundTrip', await medianMs(rpcUrl, [ROUND_TRIP], count)]]
    for (const who of CONTESTANTS) {
      const requests = requestsFor(contestants[who], names)
      results.push([who, await medianMs(contestants[who].url, requests, who === 'viem one by one' ? count / 4 : count)])
    }
    results.push(['prepareCommit', await medianMs(contestants.onoma.url, [PREPARE_COMMIT], count / 2)])
    // The first round warms up: it opens connections, and the code for preparing runs for the first time.
    if (turn > 0) for (const [what, ms] of results) slow[what].push(ms)
  }
  const { unknown } = await controlNode(node, { ask: 'replay', latencyMs: 0 })
  if (unknown > 0) throw new Error('The node received a request that was not recorded.')
  return slow
}
