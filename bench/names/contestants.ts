import { setTimeout as sleep } from 'node:timers/promises'
import type { Child, Children } from '../children.ts'
import type { Counters } from '../../sandbox/names/counters.ts'
import type { NamesOptions } from '../../sandbox/names/start.ts'
import type { BlockedConnections, BlockedRequest } from './network-guard.ts'
import { whoisHostOf } from './iana-whois.ts'
import type { InternetPlaces, InternetRequest } from './internet.ts'
import type { PeerName, PeerReply, PeerRequest } from './peer.ts'
import { type CheckResults, checkBulk } from './service-client.ts'

export type ContestantName = 'onoma' | PeerName

/** The results and cost of one contestant's run of one task, in a new process. */
export type Trial = CheckResults & {
  readonly counters: Counters
  readonly cpuMs: number
  readonly rssBytes: number
  /** Attempted connections outside loopback; all are blocked. */
  readonly blocked: number
}

export type Task = {
  readonly world: NamesOptions
  readonly domains: readonly string[]
  readonly timeoutMs: number
  /** Whether the contestant's clock jumps. */
  readonly jumps?: boolean
  /** How our service is called; by default with the list of domains. */
  call?(base: string, timeoutMs: number): Promise<CheckResults>
}

/** Concurrent lookups per peer, as a careful user of a library would make. */
const PEER_CONCURRENCY = 50
const REQUEST_TIMEOUT_MS = 5_000

/** How long the service may warm up after it is ready, before it is asked. */
const AFTER_READY_MS = Number(process.env['BENCH_AFTER_READY_MS'] ?? 0)

const FOLDER = new URL('.', import.meta.url)
const GUARD = ['--import', new URL('network-guard.ts', FOLDER).href]
const JUMPS = ['--import', new URL('clock-jumps.ts', FOLDER).href]

/** Runs one task with a new internet and a new process for the contestant, then stops both. */
export async function runTrial(children: Children, name: ContestantName, task: Task): Promise<Trial> {
  const internet = await openInternet(children, task.world)
  try {
    return await internet.runTrial(name, task)
  } finally {
    await internet.stop()
  }
}

export type Internet = {
  /** Runs one task with a new process for the contestant. */
  runTrial(name: ContestantName, task: Omit<Task, 'world'>): Promise<Trial>
  stop(): Promise<void>
}

/** Starts a simulated internet for several trials. Its rate limits remember earlier trials, its counters do not. */
export async function openInternet(children: Children, world: NamesOptions): Promise<Internet> {
  const internet = children.start(new URL('internet.ts', FOLDER), { args: [JSON.stringify(world)] })
  const countersAfter = (ask: InternetRequest['ask']) =>
    internet.ask<Counters>({ ask } satisfies InternetRequest, REQUEST_TIMEOUT_MS)
  const { places } = (await internet.line('places')) as { places: InternetPlaces }
  return {
    async runTrial(name, given) {
      const task = { ...given, world }
      const { child, check } = await (name === 'onoma'
        ? startService(children, places, task)
        : startPeer(children, name, places, task))
      try {
        await countersAfter('reset counters')
        const before = await child.usage()
        const results = await check(task)
        const after = await child.usage()
        const { blocked } = await child.ask<BlockedConnections>(
          { ask: 'blocked' } satisfies BlockedRequest,
          REQUEST_TIMEOUT_MS,
        )
        return {
          ...results,
          counters: await countersAfter('counters'),
          cpuMs: (after.cpuMicros - before.cpuMicros) / 1000,
          rssBytes: after.rssBytes,
          blocked,
        }
      } finally {
        await child.stop()
      }
    },
    stop: () => internet.stop(),
  }
}

type Contestant = { readonly child: Child; check(task: Task): Promise<CheckResults> }

/** What every contestant gets: the certificate to trust, and how long the system needs to look up a host name. */
const internetEnv = ({ caFile }: InternetPlaces, { byHostName, dns }: NamesOptions): Record<string, string> => ({
  ...(caFile !== null && { NODE_EXTRA_CA_CERTS: caFile }),
  ...(byHostName && { BENCH_LOOKUP_MS: String(dns?.recursorLatencyMs ?? dns?.latencyMs ?? 0) }),
})

/** Starts `onoma serve`, configured for the simulated internet. */
export async function startService(
  children: Children,
  places: InternetPlaces,
  { jumps = false, world = {} }: Partial<Pick<Task, 'jumps' | 'world'>> = {},
): Promise<Contestant & { readonly url: string }> {
  const child = children.start(new URL('../../bin/onoma.js', FOLDER), {
    args: ['serve'],
    nodeOptions: jumps ? [...GUARD, ...JUMPS] : GUARD,
    env: {
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: '65535',
      ...places.settings,
      ...internetEnv(places, world),
    },
  })
  const { url } = (await child.line('url')) as { url: string }
  await sleep(AFTER_READY_MS)
  return { child, url, check: ({ domains, timeoutMs, call = bulk(domains) }) => call(url, timeoutMs) }
}

const bulk = (domains: readonly string[]) => (base: string, timeoutMs: number) => checkBulk(base, domains, timeoutMs)

const portOf = (address: string): number => Number(address.split(':')[1])

async function startPeer(
  children: Children,
  name: PeerName,
  places: InternetPlaces,
  { jumps = false, world }: Pick<Task, 'jumps' | 'world'>,
): Promise<Contestant> {
  const servers = Object.values(places.registries).flatMap(({ tlds, whois }) =>
    tlds.map((tld) => ({ tld, host: whoisHostOf(tld), port: portOf(whois) })),
  )
  const hosts = Object.fromEntries(servers.map(({ tld, host }) => [tld, host]))
  const child = children.start(new URL('peer.ts', FOLDER), {
    args: [name, places.settings['ONOMA_RDAP_BOOTSTRAP']!, JSON.stringify(hosts)],
    nodeOptions: jumps ? [...GUARD, ...JUMPS] : GUARD,
    env: {
      BENCH_WHOIS: JSON.stringify({
        'whois.iana.org': portOf(places.ianaWhois),
        ...Object.fromEntries(servers.map(({ host, port }) => [host, port])),
      }),
      ...internetEnv(places, world),
    },
  })
  await child.line('ready')
  const check = ({ domains, timeoutMs }: Task) =>
    child.ask<PeerReply>({ ask: 'check', domains, concurrency: PEER_CONCURRENCY } satisfies PeerRequest, timeoutMs)
  return { child, check }
}
