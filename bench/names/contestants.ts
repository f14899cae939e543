import type { Child, Children } from '../children.ts'
import type { Counters } from '../../sandbox/names/counters.ts'
import type { NamesOptions } from '../../sandbox/names/start.ts'
import type { BlockedConnections, BlockedRequest } from './network-guard.ts'
import { whoisHostOf } from './iana-whois.ts'
import type { CountersRequest, InternetPlaces } from './internet.ts'
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

const FOLDER = new URL('.', import.meta.url)
const GUARD = ['--import', new URL('network-guard.ts', FOLDER).href]
const JUMPS = ['--import', new URL('clock-jumps.ts', FOLDER).href]

/** Runs one task with a new internet and a new process for the contestant, then stops both. */
export async function runTrial(children: Children, name: ContestantName, task: Task): Promise<Trial> {
  const internet = children.start(new URL('internet.ts', FOLDER), { args: [JSON.stringify(task.world)] })
  const started = [internet]
  try {
    const { places } = (await internet.line('places')) as { places: InternetPlaces }
    const contestant = await (name === 'onoma'
      ? startService(children, places, task)
      : startPeer(children, name, places, task))
    started.push(contestant.child)
    const before = await contestant.child.usage()
    const results = await contestant.check(task)
    const after = await contestant.child.usage()
    const { blocked } = await contestant.child.ask<BlockedConnections>(
      { ask: 'blocked' } satisfies BlockedRequest,
      REQUEST_TIMEOUT_MS,
    )
    return {
      ...results,
      counters: await internet.ask<Counters>({ ask: 'counters' } satisfies CountersRequest, REQUEST_TIMEOUT_MS),
      cpuMs: (after.cpuMicros - before.cpuMicros) / 1000,
      rssBytes: after.rssBytes,
      blocked,
    }
  } finally {
    await Promise.all(started.map((child) => child.stop()))
  }
}

type Contestant = { readonly child: Child; check(task: Task): Promise<CheckResults> }

const certificateEnv = ({ caFile }: InternetPlaces): Record<string, string> =>
  caFile === null ? {} : { NODE_EXTRA_CA_CERTS: caFile }

/** Starts `onoma serve`, configured for the simulated internet. */
export async function startService(
  children: Children,
  places: InternetPlaces,
  { jumps = false }: Pick<Task, 'jumps'> = {},
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
      ...certificateEnv(places),
    },
  })
  const { url } = (await child.line('url')) as { url: string }
  return { child, url, check: ({ domains, timeoutMs, call = bulk(domains) }) => call(url, timeoutMs) }
}

const bulk = (domains: readonly string[]) => (base: string, timeoutMs: number) => checkBulk(base, domains, timeoutMs)

const portOf = (address: string): number => Number(address.split(':')[1])

async function startPeer(
  children: Children,
  name: PeerName,
  places: InternetPlaces,
  { jumps = false }: Pick<Task, 'jumps'>,
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
      ...certificateEnv(places),
    },
  })
  await child.line('ready')
  const check = ({ domains, timeoutMs }: Task) =>
    child.ask<PeerReply>({ ask: 'check', domains, concurrency: PEER_CONCURRENCY } satisfies PeerRequest, timeoutMs)
  return { child, check }
}
