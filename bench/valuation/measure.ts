import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemClock as clock } from '../../src/kernel/clock.ts'
import { type DomainName, parseDomain, splitDomain } from '../../src/kernel/names.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { comparablesOf } from '../../src/valuation/comparables.ts'
import { createDescriber } from '../../src/valuation/describe.ts'
import { createReader, type Name } from '../../src/valuation/sight.ts'
import { createValuations } from '../../src/valuation/service.ts'
import { bundledAppraiser, bundledWords } from '../../src/valuation/sources/bundled.ts'
import { openSalesBook } from '../../src/valuation/sources/sales-book.ts'
import { salesFile } from '../../src/valuation/sources/sales-file.ts'
import { takeInSales } from '../../src/valuation/sources/sales-intake.ts'
import { starterSales } from '../../src/valuation/sources/starter.ts'
import { median } from '../speed.ts'
import { createRng, generateName, generateSales } from './generate.ts'

export type Plan = {
  readonly names: number
  readonly rounds: number
  readonly sales: number
  readonly comparablesQueries: number
}

/** Time per name in one round. */
export type Cost = { readonly wallMicros: number; readonly cpuMicros: number }

export const STAGES = ['parse names', 'split into words', 'model alone', 'service, 1,000 at a time'] as const
export type Stage = (typeof STAGES)[number]

export type Outcome = {
  readonly load: { readonly ms: number; readonly heapBytes: number; readonly rssBytes: number }
  readonly costs: Readonly<Record<Stage, Cost>>
  readonly imported: { readonly sales: number; readonly ms: number; readonly bytes: number }
  readonly comparables: {
    readonly p50Ms: number
    readonly p99Ms: number
    readonly cpuMs: number
    readonly candidates: number
    readonly maxCandidates: number
  }
}

export async function measureValuation(
  folder: string,
  plan: Plan,
  showProgress: (what: string) => void,
): Promise<Outcome> {
  const load = measureLoad()
  const words = bundledWords()
  const costs = await measureNames(plan, showProgress)
  showProgress('generating sales')
  const file = join(folder, 'sales.csv')
  await pipeline(Readable.from(generateSales(words, plan.sales)), createWriteStream(file))
  const { suffixes } = loadCatalogue()
  const describe = createDescriber(words)
  const began = performance.now()
  const { added } = await takeInSales(file, {
    folder,
    source: null,
    suffixes,
    describe,
    clock,
    signal: new AbortController().signal,
    onProgress: ({ rows }) => showProgress(`importing sales, ${rows.toLocaleString('en')}`),
  })
  const imported = { sales: added, ms: performance.now() - began, bytes: statSync(salesFile(folder)).size }
  showProgress('looking for comparables')
  return { load, costs, imported, comparables: measureComparables(folder, plan, describe) }
}

/** The first valuation loads the model and the words, as in the service. */
function measureLoad(): Outcome['load'] {
  const before = process.memoryUsage()
  const began = performance.now()
  bundledAppraiser().appraise({ label: 'example', tld: 'com' })
  const ms = performance.now() - began
  const after = process.memoryUsage()
  const held = (usage: NodeJS.MemoryUsage) => usage.heapUsed + usage.arrayBuffers
  return { ms, heapBytes: held(after) - held(before), rssBytes: after.rss - before.rss }
}

async function measureNames(plan: Plan, showProgress: (what: string) => void): Promise<Outcome['costs']> {
  const appraiser = bundledAppraiser()
  const words = bundledWords()
  const reader = createReader(words)
  const { suffixes } = loadCatalogue()
  const sales = { like: () => [], problem: () => null, close() {} }
  const valuations = createValuations({ appraiser: () => appraiser, sales: () => sales, suffixes, clock })
  const rng = createRng(7)
  const domains = Array.from({ length: plan.names }, () => generateName(words, rng))
  const parse = (domain: string): Name => {
    const parsed = parseDomain(domain)
    const split = parsed.ok ? splitDomain(parsed.name, suffixes) : undefined
    if (split?.kind !== 'registrable') throw new Error(`${domain} is not a registrable name`)
    return { label: split.label, tld: split.suffix }
  }
  const names = domains.map(parse)
  const { signal } = new AbortController()
  const work: Record<Stage, () => void | Promise<void>> = {
    'parse names': () => domains.forEach(parse),
    'split into words': () => names.forEach(({ label }) => reader.look(label)),
    'model alone': () => names.forEach((name) => appraiser.appraise(name)),
    'service, 1,000 at a time': async () => {
      for (let from = 0; from < domains.length; from += 1000) {
        const list = domains.slice(from, from + 1000) as DomainName[]
        valuations.check(list)
        await valuations.many(list, signal)
      }
    },
  }
  const rounds = new Map<Stage, Cost[]>(STAGES.map((name) => [name, []]))
  // One warm-up round each, then in turns, so that a disturbance affects all.
  for (let round = -1; round < plan.rounds; round++) {
    for (const name of STAGES) {
      showProgress(`round ${round + 1} of ${plan.rounds}, ${name}`)
      const [began, cpu] = [performance.now(), process.cpuUsage()]
      await work[name]()
      const { user, system } = process.cpuUsage(cpu)
      const wall = performance.now() - began
      if (round < 0) continue
      rounds.get(name)!.push({ wallMicros: (wall * 1000) / plan.names, cpuMicros: (user + system) / plan.names })
    }
  }
  const medianCost = (name: Stage): Cost => ({
    wallMicros: median(rounds.get(name)!.map(({ wallMicros }) => wallMicros)),
    cpuMicros: median(rounds.get(name)!.map(({ cpuMicros }) => cpuMicros)),
  })
  return Object.fromEntries(STAGES.map((name) => [name, medianCost(name)])) as Record<Stage, Cost>
}

function measureComparables(folder: string, plan: Plan, describe: ReturnType<typeof createDescriber>) {
  const onTrouble = (error: Error) => {
    throw error
  }
  const book = openSalesBook({ folder, starter: starterSales(describe), onTrouble })
  try {
    const rng = createRng(11)
    const words = bundledWords()
    const counts: number[] = []
    const query = () => {
      const domain = generateName(words, rng)
      const dot = domain.indexOf('.')
      const name = describe({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) })
      const candidates = book.like(name)
      comparablesOf(name, candidates)
      return candidates.length
    }
    for (let warmUp = 0; warmUp < plan.comparablesQueries / 10; warmUp++) query()
    const cpu = process.cpuUsage()
    const times = Array.from({ length: plan.comparablesQueries }, () => {
      const began = performance.now()
      counts.push(query())
      return performance.now() - began
    }).toSorted((a, b) => a - b)
    const { user, system } = process.cpuUsage(cpu)
    return {
      p50Ms: times[Math.floor(times.length * 0.5)]!,
      p99Ms: times[Math.floor(times.length * 0.99)]!,
      cpuMs: (user + system) / 1000 / plan.comparablesQueries,
      candidates: median(counts),
      maxCandidates: Math.max(...counts),
    }
  } finally {
    book.close()
  }
}
