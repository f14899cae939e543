import { cpus } from 'node:os'
import type { Child } from '../children.ts'
import type { Load } from '../load/job.ts'
import type { Contestant } from './contestants.ts'
import type { Job } from './generator.ts'
import type { Counts, NodeOrder } from './node.ts'
import { getRequest } from './requests.ts'

/** Who takes part besides the contestants: the load, and the node that answers from memory. */
export type Staff = { readonly generator: Child; readonly node: Child }

/** What one round of load showed about a contestant. */
export type Round = {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMsPerRequest: number
  readonly rssBytes: number
  /** Asked of the node: requests over HTTP, and calls in them. */
  readonly posts: number
  readonly calls: number
  /** Processors (1 is one of them all the time) that each kept busy. */
  readonly serverBusy: number
  readonly generatorBusy: number
  readonly nodeBusy: number
  readonly othersBusy: number
}

const ORDER_MS = 10_000

export const tellNode = (node: Child, order: NodeOrder): Promise<Counts> => node.ask<Counts>(order, ORDER_MS)

export async function drive(generator: Child, url: string, job: Omit<Job, 'ask' | 'port'>) {
  const planned = 'seconds' in job.load ? job.load.seconds * 10 : job.load.requests
  const question: Job = { ask: 'drive', port: Number(new URL(url).port), ...job }
  const load = await generator.ask<Load>(question, 20_000 + planned * 1000)
  if ('failed' in load) throw new Error(load.failed)
  return load
}

export const requestsFor = ({ target }: Contestant, names: readonly string[]): string[] =>
  names.map((name, at) => getRequest(target(name), 1 + at))

export async function round(
  { generator, node }: Staff,
  { child, url }: Contestant,
  job: Omit<Job, 'ask' | 'port'>,
): Promise<Round> {
  const look = async () => {
    const [own, nodes, counts] = [await child.usage(), await node.usage(), await tellNode(node, { ask: 'counts' })]
    const idleMs = cpus().reduce((sum, { times }) => sum + times.idle, 0)
    return { own, nodeMicros: nodes.cpuMicros, counts, idleMs, wallMs: performance.now() }
  }
  const before = await look()
  const { requests, seconds, p50Ms, p99Ms, busy } = await drive(generator, url, job)
  const after = await look()
  if (after.counts.unknown > 0) throw new Error('The node was asked something that it had not heard before.')
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
