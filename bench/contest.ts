import { cpus } from 'node:os'
import type { Child, Children } from './children.ts'
import type { Job, Load } from './load/job.ts'
import { TARGET } from './load/requests.ts'

/** A server under load and how to reach it. */
export type Contestant = { readonly child: Child; readonly port: number; readonly body: string }

/** What one round of load showed about a server. */
export type Round = {
  readonly requests: number
  readonly perSecond: number
  readonly cpuMicrosPerRequest: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly rssBytes: number
  /** Processors (1 is one of them all the time) that the server, the generator and everything else kept busy. */
  readonly serverBusy: number
  readonly generatorBusy: number
  readonly othersBusy: number
}

/** Part of a processor that other programs may take before a round is not counted. */
export const DISTURBANCE = 0.15

const FOLDER = new URL('.', import.meta.url)

/**
 * The service as anybody would start it, with its defaults but for free ports, a quota nothing here exceeds, and
 * trust in what the generator says about whom it asks for. Leaves a processor profile in a folder if one is named.
 */
export async function startOnoma(children: Children, profileFolder?: string): Promise<Contestant> {
  const child = children.start(new URL('../bin/onoma.js', FOLDER), {
    args: ['serve'],
    nodeOptions: profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`],
    env: {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: '0',
      ONOMA_LOG_LEVEL: 'info',
      ONOMA_RATE_LIMIT: '65535',
      ONOMA_TRUSTED_PROXIES: '127.0.0.0/8',
    },
  })
  return contestant(child)
}

export async function startBare(children: Children, body: string): Promise<Contestant> {
  const bare = await contestant(children.start(new URL('servers/bare.ts', FOLDER), { env: { BENCH_BODY: body } }))
  if (bare.body !== body) throw new Error('The bare server does not send the same bytes.')
  return bare
}

export const startGenerator = (children: Children, addresses: number): Child =>
  children.start(new URL('load/generator.ts', FOLDER), { args: [String(addresses)] })

async function contestant(child: Child): Promise<Contestant> {
  const { url } = await child.line('url')
  const answer = await fetch(`${String(url)}${TARGET}`, { signal: AbortSignal.timeout(10_000) })
  if (answer.status !== 200) throw new Error(`${String(url)}${TARGET} answered ${answer.status}.`)
  return { child, port: Number(new URL(String(url)).port), body: await answer.text() }
}

export async function round(
  generator: Child,
  { child, port, body }: Contestant,
  connections: number,
  load: Job['load'],
): Promise<Round> {
  const job: Job = { ask: 'drive', port, connections, bodyLength: Buffer.byteLength(body), load }
  // Ten times what is planned, or what a machine would need that manages a thousand requests a second.
  const planned = 'requests' in load ? load.requests / 1_000 : load.seconds * 10
  const before = { ...(await child.usage()), ...machine() }
  const result = await generator.ask<Load>(job, 20_000 + planned * 1000)
  if ('failed' in result) throw new Error(result.failed)
  const after = { ...(await child.usage()), ...machine() }
  const cpuMicros = after.cpuMicros - before.cpuMicros
  const { requests, seconds, p50Ms, p99Ms, busy } = result
  const [wallMs, idleMs] = [after.wallMs - before.wallMs, after.idleMs - before.idleMs]
  return {
    requests,
    perSecond: requests / seconds,
    cpuMicrosPerRequest: cpuMicros / requests,
    p50Ms,
    p99Ms,
    rssBytes: after.rssBytes,
    serverBusy: cpuMicros / 1e6 / seconds,
    generatorBusy: busy,
    // What is neither idle nor ours, time a hypervisor gave to its other guests included.
    othersBusy: Math.max(0, cpus().length - idleMs / wallMs - (cpuMicros / 1000 + busy * seconds * 1000) / wallMs),
  }
}

const machine = (): { wallMs: number; idleMs: number } => ({
  wallMs: performance.now(),
  idleMs: cpus().reduce((sum, { times }) => sum + times.idle, 0),
})

/** Waits until the rest of the machine has been quiet for a moment, at most so long. */
export async function waitForCalm(atMostMs: number): Promise<void> {
  const giveUp = performance.now() + atMostMs
  while (performance.now() < giveUp) {
    const before = machine()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const after = machine()
    if (cpus().length - (after.idleMs - before.idleMs) / (after.wallMs - before.wallMs) <= DISTURBANCE) return
  }
}
