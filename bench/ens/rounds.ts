import { cpus } from 'node:os'
import type { Child } from '../children.ts'
import type { Load } from '../load/job.ts'
import type { Contestant } from './contestants.ts'
import type { Job } from './generator.ts'
import type { Counts, NodeCommand } from './replay-node.ts'
import { getRequest } from './requests.ts'

/** The processes besides the contestants: the load generator and the replay node. */
export type Harness = { readonly generator: Child; readonly node: Child }

/** Figures of one round of load on one contestant. */
export type Round = {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMsPerRequest: number
  readonly rssBytes: number
  /** Received by the node: HTTP requests, and RPC calls in them. */
  readonly posts: number
  readonly calls: number
  /** Busy processors (1 is one processor all the time). */
  readonly serverBusy: number
  readonly generatorBusy: number
  readonly nodeBusy: number
  readonly othersBusy: number
}

const COMMAND_TIMEOUT_MS = 10_000

export const controlNode = (node: Child, command: NodeCommand): Promise<Counts> =>
  node.ask<Counts>(command, COMMAND_TIMEOUT_MS)

export async function drive(generator: Child, url: string, job: Omit<Job, 'ask' | 'port'>) {
  const timeoutSeconds = 20 + ('seconds' in job.load ? job.load.seconds * 10 : job.load.requests)
  const request: Job = { ask: 'drive', port: Number(new URL(url).port), ...job }
  const load = await generator.ask<Load>(request, timeoutSeconds * 1000)
  if ('failed' in load) throw new Error(load.failed)
  return load
}

export const requestsFor = ({ target }: Contestant, names: readonly string[]): string[] =>
  names.map((name, at) => getRequest(target(name), 1 + at))

export async function round(
  { generator, node }: Harness,
  { child, url }: Contestant,
  job: Omit<Job, 'ask' | 'port'>,
): Promise<Round> {
  const sample = async () => {
    const [own, nodes, counts] = [await child.usage(), await node.usage(), await controlNode(node, { ask: 'counts' })]
    const idleMs = cpus().reduce((sum, { times }) => sum + times.idle, 0)
    return { own, nodeMicros: nodes.cpuMicros, counts, idleMs, wallMs: performance.now() }
  }
  const before = await sample()
  const { requests, seconds, p50Ms, p99Ms, busy } = await drive(generator, url, job)
  const after = await sample()
  if (after.counts.unknown > 0) throw new Error('The node received a request that was not recorded.')
  const cpuMicros = after.own.cpuMicros - before.own.cpuMicros
  const nodeMicros = after.nodeMicros - before.nodeMicros
  const wallMs = after.wallMs - before.wallMs
  const oursMs = (cpuMicros + nodeMicros) / 1000 + busy * seconds * 1000
  return {
    requests,
    perSecond: requests / seconds,
    p50Ms,
    p99Ms,
    cpuMsPerRequest: cpuMicros / 1000 / requests,
    rssBytes: after.own.rssBytes,
    posts: after.counts.posts - before.counts.posts,
    calls: after.counts.calls - before.counts.calls,
    serverBusy: cpuMicros / 1e6 / seconds,
    generatorBusy: busy,
    nodeBusy: nodeMicros / 1e6 / seconds,
    othersBusy: Math.max(0, cpus().length - (after.idleMs - before.idleMs + oursMs) / wallMs),
  }
}
