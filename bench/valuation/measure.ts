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
import { dice, inventName, inventSales } from './names.ts'

export type Plan = {
  readonly names: number
  readonly rounds: number
  readonly sales: number
  readonly questions: number
}

/** Of one round, for each name. */
export type Cost = { readonly wallMicros: number; readonly cpuMicros: number }

export const CONTESTANTS = ['names read', 'names cut into words', 'model alone', 'service, 1,000 at a time'] as const
export type Contestant = (typeof CONTESTANTS)[number]

export type Outcome = {
  readonly load: { readonly ms: number; readonly heapBytes: number; readonly rssBytes: number }
  readonly costs: Readonly<Record<Contestant, Cost>>
  readonly imported: { readonly sales: number; readonly ms: number; readonly bytes: number }
  readonly comparables: {
    readonly p50Ms: number
    readonly p99Ms: number
    readonly cpuMs: number
    readonly candidates: number
    readonly mostCandidates: number
  }
}

export async function measureValuation(folder: string, plan: Plan, tell: (what: string) => void): Promise<Outcome> {
  const load = measureLoad()
  const words = bundledWords()
  const costs = await measureNames(plan, tell)
  tell('inventing sales')
  const file = join(folder, 'sales.csv')
  await pipeline(Readable.from(inventSales(words, plan.sales)), createWriteStream(file))
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
    onProgress: ({ rows }) => tell(`importing sales, ${rows.toLocaleString('en')}`),
  })
  const imported = { sales: added, ms: performance.now() - began, bytes: statSync(salesFile(folder)).size }
  tell('looking for comparables')
  return { load, costs, imported, comparables: measureComparables(folder, plan, describe) }
}

/** The first time, as a service does it when the first name comes. */
function measureLoad(): Outcome['load'] {
  const before = process.memoryUsage()
  const began = performance.now()
  bundledAppraiser().appraise({ label: 'example', tld: 'com' })
  const ms = performance.now() - began
  const after = process.memoryUsage()
  const held = (usage: NodeJS.MemoryUsage) => usage.heapUsed + usage.arrayBuffers
  return { ms, heapBytes: held(after) - held(before), rssBytes: after.rss - before.rss }
}

async function measureNames(plan: Plan, tell: (what: string) => void): Promise<Outcome['costs']> {
  const appraiser = bundledAppraiser()
  const words = bundledWords()
  const reader = createReader(words)
  const { suffixes } = loadCatalogue()
  const sales = { like: () => [], close() {} }
  const valuations = createValuations({ appraiser: () => appraiser, sales: () => sales, suffixes, clock })
  const roll = dice(7)
  const domains = Array.from({ length: plan.names }, () => inventName(words, roll))
  const read = (domain: string): Name => {
    const parsed = parseDomain(domain)
    const split = parsed.ok ? splitDomain(parsed.name, suffixes) : undefined
    if (split?.kind !== 'registrable') throw new Error(`${domain} was meant to be a name`)
    return { label: split.label, tld: split.suffix }
  }
  const names = domains.map(read)
  const { signal } = new AbortController()
  const work: Record<Contestant, () => void | Promise<void>> = {
    'names read': () => domains.forEach(read),
    'names cut into words': () => names.forEach(({ label }) => reader.look(label)),
    'model alone': () => names.forEach((name) => appraiser.appraise(name)),
    'service, 1,000 at a time': async () => {
      for (let from = 0; from < domains.length; from += 1000) {
        const list = domains.slice(from, from + 1000) as DomainName[]
        valuations.check(list)
        await valuations.many(list, signal)
      }
    },
  }
  const rounds = new Map<Contestant, Cost[]>(CONTESTANTS.map((name) => [name, []]))
  // One round each to warm up, then turn by turn, so that a noisy moment hits all.
  for (let round = -1; round < plan.rounds; round++) {
    for (const name of CONTESTANTS) {
      tell(`round ${round + 1} of ${plan.rounds}, ${name}`)
      const [began, cpu] = [performance.now(), process.cpuUsage()]
      await work[name]()
      const { user, system } = process.cpuUsage(cpu)
      const wall = performance.now() - began
      if (round < 0) continue
      rounds.get(name)!.push({ wallMicros: (wall * 1000) / plan.names, cpuMicros: (user + system) / plan.names })
    }
  }
  const middle = (name: Contestant): Cost => ({
    wallMicros: median(rounds.get(name)!.map(({ wallMicros }) => wallMicros)),
    cpuMicros: median(rounds.get(name)!.map(({ cpuMicros }) => cpuMicros)),
  })
  return Object.fromEntries(CONTESTANTS.map((name) => [name, middle(name)])) as Record<Contestant, Cost>
}

function measureComparables(folder: string, plan: Plan, describe: ReturnType<typeof createDescriber>) {
  const onTrouble = (error: Error) => {
    throw error
  }
  const book = openSalesBook({ folder, starter: starterSales(describe), onTrouble })
  try {
    const roll = dice(11)
    const words = bundledWords()
    const counts: number[] = []
    const ask = () => {
      const domain = inventName(words, roll)
      const dot = domain.indexOf('.')
      const name = describe({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) })
      const candidates = book.like(name)
      comparablesOf(name, candidates)
      return candidates.length
    }
    for (let warmUp = 0; warmUp < plan.questions / 10; warmUp++) ask()
    const cpu = process.cpuUsage()
    const times = Array.from({ length: plan.questions }, () => {
      const began = performance.now()
      counts.push(ask())
      return performance.now() - began
    }).toSorted((a, b) => a - b)
    const { user, system } = process.cpuUsage(cpu)
    return {
      p50Ms: times[Math.floor(times.length * 0.5)]!,
      p99Ms: times[Math.floor(times.length * 0.99)]!,
      cpuMs: (user + system) / 1000 / plan.questions,
      candidates: median(counts),
      mostCandidates: Math.max(...counts),
    }
  } finally {
    book.close()
  }
}
