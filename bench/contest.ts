import { cpus } from 'node:os'
import type { Child, Children } from './children.ts'
import type { Job, Load } from './load/job.ts'
import { TARGET } from './load/requests.ts'
import type { GcPauses } from './servers/gauge.ts'

/** A server under load and how to reach it. */
export type Contestant = { readonly child: Child; readonly port: number; readonly body: string }

/** Figures of one round of load on one server. */
export type Round = {
  readonly requests: number
  readonly perSecond: number
  readonly cpuMicrosPerRequest: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly rssBytes: number
  readonly gc: GcPauses
  /** Busy processors (1 is one processor all the time): of the server, the generator, and all other programs. */
  readonly serverBusy: number
  readonly generatorBusy: number
  readonly othersBusy: number
}

/** Processors that other programs may keep busy; rounds with more are not counted. */
export const MAX_OTHERS_BUSY = 0.15

const READY_TIMEOUT_MS = 10_000
const CALM_SAMPLE_MS = 300
const FOLDER = new URL('.', import.meta.url)

/**
 * Starts the service with its defaults, except for free ports, the highest rate limit, and trust in the generator's
 * X-Forwarded-For. Writes a CPU profile if a folder is given.
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

/** A bare server holds its body as text, which Node sends in one piece with the headers, or as bytes. */
export const BARE_KINDS = ['text', 'bytes'] as const
export type BareKind = (typeof BARE_KINDS)[number]

export async function startBare(children: Children, body: string, kind: BareKind = 'bytes'): Promise<Contestant> {
  const env = { BENCH_BODY: body, BENCH_BODY_KIND: kind }
  const bare = await contestant(children.start(new URL('servers/bare.ts', FOLDER), { env }))
  if (bare.body !== body) throw new Error('The bare server does not send the same bytes.')
  return bare
}

export const startGenerator = (children: Children, addresses: number): Child =>
  children.start(new URL('load/generator.ts', FOLDER), { args: [String(addresses)] })

async function contestant(child: Child): Promise<Contestant> {
  const { url } = await child.line('url')
  const answer = await fetch(`${String(url)}${TARGET}`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })
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
  // Ten times the planned duration, or the time for the requests at 1,000 per second.
  const timeoutSeconds = 20 + ('requests' in load ? load.requests / 1_000 : load.seconds * 10)
  const before = { ...(await child.usage()), ...systemTimes() }
  const result = await generator.ask<Load>(job, timeoutSeconds * 1000)
  if ('failed' in result) throw new Error(result.failed)
  const after = { ...(await child.usage()), ...systemTimes() }
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
    gc: after.gc,
    serverBusy: cpuMicros / 1e6 / seconds,
    generatorBusy: busy,
    // Neither idle nor ours; includes time that a hypervisor gave to other guests.
    othersBusy: Math.max(0, cpus().length - idleMs / wallMs - (cpuMicros / 1000 + busy * seconds * 1000) / wallMs),
  }
}

const systemTimes = (): { wallMs: number; idleMs: number } => ({
  wallMs: performance.now(),
  idleMs: cpus().reduce((sum, { times }) => sum + times.idle, 0),
})

/** Waits until other programs are idle for a moment, or until the time is up. */
export async function waitForCalm(maxWaitMs: number): Promise<void> {
  const giveUp = performance.now() + maxWaitMs
  while (performance.now() < giveUp) {
    const before = systemTimes()
    await new Promise((resolve) => setTimeout(resolve, CALM_SAMPLE_MS))
    const after = systemTimes()
    if (cpus().length - (after.idleMs - before.idleMs) / (after.wallMs - before.wallMs) <= MAX_OTHERS_BUSY) return
  }
}
