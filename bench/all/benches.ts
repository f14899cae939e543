import { median } from '../speed.ts'
import { type Finder, fromJson, fromVerdict, fromVerdicts, higher, lower, ratio } from './figures.ts'

/** How `npm run bench` runs one bench, and which of its figures are compared with recorded ones. */
export type Bench = {
  readonly name: string
  /** In the folder `bench`. */
  readonly file: string
  readonly args: readonly string[]
  /** About how long it takes on two calm processors. */
  readonly seconds: number
  readonly figures: readonly Finder[]
}

const QUICK = ['--quick', '--json'] as const

type Costs = { readonly costs: Readonly<Record<string, { readonly cpuMicros: number }>> }
type Syncs = { readonly syncs: readonly { readonly what: string; readonly cpuMs: number }[] }
type Alone = { readonly alone: readonly { readonly name: string; readonly cpuMicros: number }[] }

type Start = { readonly ms: number }
type Starts = Readonly<Record<'bare' | 'version' | 'cached', readonly Start[]>>

const ratioOf = (ours: readonly Start[], bare: readonly Start[]): number =>
  median(ours.map(({ ms }) => ms)) / median(bare.map(({ ms }) => ms))

const partCost = (name: string): Finder =>
  fromJson<Alone>(`${name}, CPU × cheapest`, lower(0.4), ({ alone }) => {
    const cheapest = Math.min(...alone.map(({ cpuMicros }) => cpuMicros))
    return alone.find((part) => part.name === name)!.cpuMicros / cheapest
  })

/**
 * To add a bench, add a row. A bench prints `verdicts` and, best, `ratios` (name → number) in one JSON object; other
 * figures are found by the words of a verdict. A figure that is recorded and no longer found makes the run fail, so rename
 * both together.
 */
export const BENCHES: readonly Bench[] = [
  {
    name: 'http',
    file: 'http.ts',
    args: QUICK,
    seconds: 75,
    figures: [
      fromVerdict('requests/s × bare', /requests\/s at saturation/, higher(0.1)),
      fromVerdicts(/^(p99 at .+?) at most/, lower(0.5)),
    ],
  },
  {
    name: 'start',
    file: 'start.ts',
    args: ['--runs', '3', '--json'],
    seconds: 40,
    figures: [
      fromJson<Starts>('ready with a compile cache × node -e 0', lower(0.4), ({ cached, bare }) =>
        ratioOf(cached, bare),
      ),
      fromJson<Starts>('onoma version × node -e 0', lower(0.4), ({ version, bare }) => ratioOf(version, bare)),
    ],
  },
  {
    name: 'check',
    file: 'check.ts',
    args: QUICK,
    seconds: 120,
    figures: [
      fromVerdicts(/^(.+): faster than (.+)$/, higher(0.4)),
      fromVerdicts(/^(.+): (registry requests) at most/, lower(0.03)),
      fromVerdict('cached check, p50 ms', /^cached check/, lower(0.5)),
    ],
  },
  {
    name: 'truth',
    file: 'truth.ts',
    args: QUICK,
    seconds: 50,
    figures: [
      fromVerdict('false available', /no false available/, lower(0)),
      fromVerdict('false taken', /no false taken/, lower(0)),
    ],
  },
  {
    name: 'dns',
    file: 'dns.ts',
    args: QUICK,
    seconds: 20,
    figures: [
      fromVerdict('burst, rate × dns.Resolver', /^a burst at least/, higher(0.4)),
      fromVerdict('list, rate × dns.Resolver', /^a list at least/, higher(0.25)),
      fromVerdict('list, CPU × dns.Resolver', /^a list with at most/, lower(0.25)),
    ],
  },
  {
    name: 'ens',
    file: 'ens.ts',
    args: QUICK,
    seconds: 120,
    figures: [
      fromVerdict('metadata/s × ensjs', /× ensjs/, higher(0.2)),
      fromVerdict('latency × round trip', /× one round trip/, lower(0.1)),
    ],
  },
  {
    name: 'pay',
    file: 'pay.ts',
    args: QUICK,
    seconds: 90,
    figures: [
      ratio('402 onoma', higher(0.1)),
      ratio('credit file', higher(0.15)),
      ratio('credit memory', higher(0.15)),
      ratio('overhead x402', lower(0.4)),
      ratio('overhead mpp', lower(0.4)),
    ],
  },
  {
    name: 'trademark',
    file: 'trademark.ts',
    args: [...QUICK, '--size', '100000'],
    seconds: 75,
    figures: [
      fromVerdict('records/s of CPU time, indexing', /indexing alone/, higher(0.25)),
      fromVerdict('MB of XML per second of CPU time', /reading files/, higher(0.25)),
    ],
  },
  {
    name: 'valuation',
    file: 'valuation.ts',
    args: QUICK,
    seconds: 8,
    figures: [
      fromJson<Costs>('CPU of the service × splitting into words', lower(0.3), ({ costs }) => {
        const service = Object.entries(costs).find(([part]) => part.startsWith('service'))![1]
        return service.cpuMicros / costs['split into words']!.cpuMicros
      }),
    ],
  },
  {
    name: 'auctions',
    file: 'auctions.ts',
    args: QUICK,
    seconds: 30,
    figures: [
      fromJson<Syncs>('CPU of an unchanged sync × the first', lower(0.3), ({ syncs }) => {
        const again = syncs.find(({ what }) => what === 'unchanged')!
        return again.cpuMs / syncs[0]!.cpuMs
      }),
    ],
  },
  {
    name: 'load',
    file: 'load.ts',
    args: QUICK,
    seconds: 60,
    figures: [
      fromVerdict('cached check in the mix × alone, p50', /cached check in the mix/, lower(1)),
      ...['check, fresh, taken', '402'].map(partCost),
    ],
  },
  {
    name: 'page',
    file: 'page.ts',
    args: QUICK,
    seconds: 40,
    figures: [ratio('page of 20 tiles', lower(0.4)), ratio('page of all TLDs', lower(0.4))],
  },
  {
    name: 'hostile',
    file: 'hostile.ts',
    args: QUICK,
    seconds: 150,
    figures: [fromVerdicts(/^(.+): the victim's p50 at most [\d.]+ × calm/, lower(1))],
  },
  {
    name: 'intel',
    file: 'intel.ts',
    args: QUICK,
    seconds: 45,
    figures: [fromVerdict('requests/s of another endpoint kept', /another endpoint keeps/, higher(0.2))],
  },
  {
    name: 'soak',
    file: 'soak.ts',
    args: QUICK,
    seconds: 30,
    figures: [ratio('heap growth', lower(0.1))],
  },
  {
    name: 'growth',
    file: 'growth.ts',
    args: QUICK,
    seconds: 100,
    figures: [fromVerdicts(/^(.+) grows? no worse than/, lower(0.25), /exponent ([−-]?[\d.]+)/)],
  },
]
