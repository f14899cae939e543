import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, createChildren } from '../children.ts'
import { startMixService, waitUntilReady } from '../mix/service.ts'
import { printReport, showProgress } from '../run.ts'
import type { Verdict } from '../verdicts.ts'
import { PARTIES, type Party } from './parties.ts'
import { fillCaches, startTraffic, type Traffic } from './traffic.ts'
import type { RestartRequest, SoakWorld } from './world.ts'

type Sample = {
  readonly minute: number
  readonly restarted: Party
  readonly heapMb: number
  readonly rssMb: number
  readonly descriptors: number
  readonly cpuPercent: number
  readonly requests: number
}
type Plan = { readonly minutes: number; readonly rate: number }

const MIN_SAMPLES = 16
const MAX_CYCLE_MS = 60_000
/** Shares of a cycle in which one party is closed, and in which it may still be avoided after that. */
const CLOSED_SHARE = 1 / 6
const GRACE_SHARE = 1 / 3
const RESTART_TIMEOUT_MS = 10_000
/** A longer run fills the caches by itself in its first quarter. */
const MINUTES_UNTIL_FULL = 20
const FILL = { domains: 22_000, records: 11_000 }

const MAX_HEAP_GROWTH = 1.1
const MAX_RSS_GROWTH = 1.1
const MAX_MORE_DESCRIPTORS = 10
/** Of all requests whose upstreams are open: a busy machine may let a query time out. */
const MAX_FAILED_SHARE = 0.001

/**
 * A realistic mix at a fixed rate, while one kind of server after the other is stopped and started again: memory and
 * descriptors must stay flat, and no answer may be wrong.
 */
export async function soakWithRestarts({ minutes, rate }: Plan): Promise<number> {
  const children = createChildren()
  try {
    const world = children.start(new URL('world.ts', import.meta.url))
    const places = (await world.line('world'))['world'] as SoakWorld
    const { child, url } = await startMixService(children, {
      ...places,
      // Feeds are read often enough to be closed in the middle of a sync.
      settings: {
        ...places.settings,
        ...Object.fromEntries(['A', 'B', 'C'].map((feed) => [`ONOMA_AUCTIONS_SOURCE_${feed}_INTERVAL`, '1'])),
      },
    })
    showProgress('waiting for all parts')
    await waitUntilReady(url)
    if (minutes < MINUTES_UNTIL_FULL) {
      showProgress('filling the caches')
      await fillCaches(url, FILL)
    }
    const cycleMs = Math.min(MAX_CYCLE_MS, (minutes * 60_000) / MIN_SAMPLES)
    const traffic = startTraffic({ url, rate, graceMs: cycleMs * GRACE_SHARE })
    const samples = await restartInTurn({
      world,
      child,
      traffic,
      cycleMs,
      cycles: Math.round((minutes * 60_000) / cycleMs),
    })
    await traffic.stop()
    const { counts } = traffic
    return printReport({
      json: false,
      heading: `, ${minutes} minutes, ${rate} requests/s, ${samples.length} restarts`,
      sections: [
        `${counts.requests} requests; ${counts.excused} could not be answered while a server they need was closed; ` +
          `${counts.skipped} were not sent, because too many were open`,
      ],
      data: {},
      verdicts: verdictsOf(samples, counts),
    })
  } finally {
    await children.stop()
  }
}

type Running = {
  readonly world: Child
  readonly child: Child
  readonly traffic: Traffic
  readonly cycleMs: number
  readonly cycles: number
}

/** One cycle for each party in turn: closed, open again, and a sample when everything has calmed down. */
async function restartInTurn({ world, child, traffic, cycleMs, cycles }: Running): Promise<Sample[]> {
  const samples: Sample[] = []
  const started = performance.now()
  const until = (ms: number) => sleep(Math.max(0, started + ms - performance.now()))
  const tell = (request: RestartRequest) => world.ask<{ servers: number }>(request, RESTART_TIMEOUT_MS)
  let before = { at: started, cpuMicros: (await child.usage()).cpuMicros }
  for (let cycle = 0; cycle < cycles; cycle++) {
    const party = PARTIES[cycle % PARTIES.length]!
    showProgress(`cycle ${cycle + 1} of ${cycles}: ${party} closed`)
    traffic.setClosed(party)
    await tell({ ask: 'close', party })
    await until(cycleMs * (cycle + CLOSED_SHARE))
    await tell({ ask: 'open', party })
    traffic.setClosed(null)
    showProgress(`cycle ${cycle + 1} of ${cycles}: ${party} open again`)
    await until(cycleMs * (cycle + 1))
    const { heapBytes, rssBytes, cpuMicros } = await child.usage({ collect: true })
    const at = performance.now()
    const sample = {
      minute: Math.round((at - started) / 6_000) / 10,
      restarted: party,
      heapMb: Math.round(heapBytes / 1e5) / 10,
      rssMb: Math.round(rssBytes / 1e6),
      descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
      cpuPercent: Math.round((cpuMicros - before.cpuMicros) / (at - before.at) / 10),
      requests: traffic.counts.requests,
    }
    before = { at, cpuMicros }
    samples.push(sample)
    showProgress('')
    console.log(JSON.stringify(sample))
  }
  return samples
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

function verdictsOf(samples: readonly Sample[], counts: Traffic['counts']): Verdict[] {
  const quarter = (number: number) =>
    samples.slice(Math.floor((samples.length * number) / 4), Math.floor((samples.length * (number + 1)) / 4))
  const [second, last] = [quarter(1), quarter(3)]
  const compare = (figure: (sample: Sample) => number, unit: string) => {
    const [from, to] = [median(second.map(figure)), median(last.map(figure))]
    return { from, to, measured: `${from}, ${to}${unit}` }
  }
  const heap = compare(({ heapMb }) => heapMb, ' MB')
  const rss = compare(({ rssMb }) => rssMb, ' MB')
  const descriptors = compare((sample) => sample.descriptors, '')
  const examples = counts.examples.length > 0 ? `: ${counts.examples.join('; ')}` : ''
  return [
    { target: 'no wrong answer', measured: `${counts.wrong}${examples}`, met: counts.wrong === 0 },
    {
      target: `at most ${MAX_FAILED_SHARE * 100} % could not be answered although all servers they need were open`,
      measured: `${counts.failed} of ${counts.requests}${examples}`,
      met: counts.failed <= counts.requests * MAX_FAILED_SHARE,
    },
    {
      target: `heap after a collection, second and last quarter: at most × ${MAX_HEAP_GROWTH}`,
      measured: heap.measured,
      met: heap.to <= heap.from * MAX_HEAP_GROWTH,
    },
    {
      target: `resident memory, second and last quarter: at most × ${MAX_RSS_GROWTH}`,
      measured: rss.measured,
      met: rss.to <= rss.from * MAX_RSS_GROWTH,
    },
    {
      target: `file descriptors, second and last quarter: at most ${MAX_MORE_DESCRIPTORS} more`,
      measured: descriptors.measured,
      met: descriptors.to <= descriptors.from + MAX_MORE_DESCRIPTORS,
    },
  ]
}
