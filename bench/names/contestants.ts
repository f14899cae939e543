import type { Child, Children } from '../children.ts'
import type { Counters } from '../../sandbox/names/counters.ts'
import type { NamesOptions } from '../../sandbox/names/start.ts'
import type { Strayed, StrayedQuestion } from './guard.ts'
import { whoisHostOf } from './iana-whois.ts'
import type { InternetPlaces, InternetQuestion } from './internet.ts'
import type { PeerAnswer, PeerName, PeerQuestion } from './peer.ts'
import { askBulk, type Heard } from './service-client.ts'

export type ContestantName = 'onoma' | PeerName

/** What one contestant made of one task in a process of its own, and what that cost. */
export type Trial = Heard & {
  readonly counters: Counters
  readonly cpuMs: number
  readonly rssBytes: number
  /** Connections it tried to make to anywhere but the loopback. */
  readonly strayed: number
}

export type Task = {
  readonly world: NamesOptions
  readonly domains: readonly string[]
  readonly deadlineMs: number
  /** Whether the contestant's clock jumps. */
  readonly jumps?: boolean
  /** How our service is asked, where not with the list. */
  ask?(base: string, deadlineMs: number): Promise<Heard>
}

/** As many lookups at once as a careful user of a library would make. */
const WORKERS = 50

const FOLDER = new URL('.', import.meta.url)
const GUARD = ['--import', new URL('guard.ts', FOLDER).href]
const JUMPS = ['--import', new URL('jumps.ts', FOLDER).href]

/** A new internet, a new process for the contestant, the task, and the end of both. */
export async function attempt(children: Children, name: ContestantName, task: Task): Promise<Trial> {
  const internet = children.start(new URL('internet.ts', FOLDER), { args: [JSON.stringify(task.world)] })
  const started = [internet]
  try {
    const { places } = (await internet.line('places')) as { places: InternetPlaces }
    const contestant = await (name === 'onoma'
      ? startService(children, places, task)
      : startPeer(children, name, places, task))
    started.push(contestant.child)
    const before = await contestant.child.usage()
    const heard = await contestant.check(task)
    const after = await contestant.child.usage()
    const { strayed } = await contestant.child.ask<Strayed>({ ask: 'strayed' } satisfies StrayedQuestion, 5_000)
    return {
      ...heard,
      counters: await internet.ask<Counters>({ ask: 'counters' } satisfies InternetQuestion, 5_000),
      cpuMs: (after.cpuMicros - before.cpuMicros) / 1000,
      rssBytes: after.rssBytes,
      strayed,
    }
  } finally {
    await Promise.all(started.map((child) => child.stop()))
  }
}

type Contestant = { readonly child: Child; check(task: Task): Promise<Heard> }

const trust = ({ caFile }: InternetPlaces): Record<string, string> =>
  caFile === null ? {} : { NODE_EXTRA_CA_CERTS: caFile }

/** The service as `onoma serve` starts it, told where the simulated internet is. */
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
      ...trust(places),
    },
  })
  const { url } = (await child.line('url')) as { url: string }
  return { child, url, check: ({ domains, deadlineMs, ask = list(domains) }) => ask(url, deadlineMs) }
}

const list = (domains: readonly string[]) => (base: string, deadlineMs: number) => askBulk(base, domains, deadlineMs)

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
      ...trust(places),
    },
  })
  await child.line('ready')
  const check = ({ domains, deadlineMs }: Task) =>
    child.ask<PeerAnswer>({ ask: 'check', domains, workers: WORKERS } satisfies PeerQuestion, deadlineMs)
  return { child, check }
}
