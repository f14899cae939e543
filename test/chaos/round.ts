import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/kernel/random.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import type { FaultKind } from '../support/fault.ts'
import type { DelayMeter } from '../support/hang.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { startPurchases } from './purchases.ts'
import { expectBaseline, type Use } from './baseline.ts'
import type { ChaosService } from './service.ts'
import { startTraffic } from './traffic.ts'
import type { ChaosWorld } from './world.ts'

/** What happens in one round, besides the traffic. */
export type Round =
  | NetworkRound
  | { readonly what: 'pages'; readonly kinds: readonly FaultKind[] }
  | { readonly what: 'kill' }
  | { readonly what: 'few files' }
  | { readonly what: 'full disk' | 'read-only disk' }
  | { readonly what: 'wrong clock'; readonly days: number }

export type NetworkRound = {
  readonly what: 'network'
  /** Whether payments are settled by a facilitator; by a key of the service if not. */
  readonly byFacilitator?: boolean
  readonly faults: readonly PlannedFault[]
}

export type PlannedFault = {
  readonly group: string
  readonly kind: FaultKind
  /** Comes and goes, so that it strikes in the middle of what takes several requests: verify, then settle. */
  readonly flaps?: boolean
}

export type ChaosPlan = {
  readonly seed: number
  readonly rounds: readonly Round[]
  /** Length of one round. */
  readonly roundMs: number
  readonly workers: number
  readonly payers: number
  /** A Chromium; without it no page is visited. */
  readonly browser?: string | undefined
  print(line: string): void
}

export type Chaos = {
  readonly plan: ChaosPlan
  readonly random: Random
  readonly world: ChaosWorld
  readonly host: ChaosService
  readonly document: Json
  readonly problems: string[]
  readonly meter: DelayMeter
  service: ServiceProcess
  rounds: number
  /** What the service uses after a round without a fault; undefined before it. */
  calm: Use | undefined
}

/** How long the service may need until it works again when a fault is over: its breakers probe at most so rarely. */
export const RECOVERY_TIMEOUT_MS = 60_000
const SETTLE_TIMEOUT_MS = 60_000
/** A killed service leaves leases on its payments; afterwards all clocks run ahead by this. */
export const LEASE_MS = 70_000

/** Traffic and purchases while something happens; then the service must work again and its books be right. */
export async function runRound(chaos: Chaos, round: Round, happen: () => Promise<void>): Promise<void> {
  const { plan, world, host, document, problems } = chaos
  const seed = plan.seed * 1000 + chaos.rounds++
  plan.print(`round ${chaos.rounds}: ${round.what}${round.what === 'wrong clock' ? `, ${round.days} days` : ''}`)
  const mayBreak = round.what === 'kill' || round.what === 'few files'
  const traffic = startTraffic({
    url: host.url,
    seed,
    world,
    document,
    workers: plan.workers,
    meter: chaos.meter,
    mayBreak,
  })
  const url = () => host.url
  const purchases = startPurchases({ url, seed, chains: world.chains, clock: host.clock, workers: plan.payers })
  const before = problems.length
  const isCalm = round.what === 'network' && round.faults.length === 0
  const used = () => ({ ...traffic.used(), ...purchases.sold() })
  try {
    await happen()
    if (isCalm) await waitForAll(used)
  } catch (error) {
    problems.push(`round ${chaos.rounds}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const stopping = Promise.all([traffic.stop(), purchases.stop()])
  // Healed while requests are still under way, as in life; a dead connection stays dead.
  world.heal()
  const [{ answered, decided, unknown, enriched, broken, problems: found }] = await stopping
  problems.push(...found)
  if (!chaos.service.isRunning()) problems.push(`The service ended:\n${chaos.service.log().slice(-1500)}`)
  else {
    if (!(await worksAgain(chaos, seed))) problems.push(`It did not work again within ${RECOVERY_TIMEOUT_MS} ms.`)
    problems.push(...(await purchases.settle(SETTLE_TIMEOUT_MS)))
    problems.push(...(await expectBaseline(chaos.service, chaos.calm, RECOVERY_TIMEOUT_MS)))
  }
  // What was not used without a fault would not be tested with one.
  if (isCalm) problems.push(...unused(used()).map((what) => `Without a fault there were no ${what}.`))
  for (let at = before; at < problems.length; at++)
    plan.print(`  PROBLEM ${(problems[at] = `${round.what}: ${problems[at]}`)}`)
  const bought = `${purchases.delivered()} of ${purchases.purchases()} purchases delivered`
  const counted = `${decided} verdicts, ${unknown} unknown, ${enriched} enriched records`
  plan.print(`  ${answered} answers (${counted}), ${broken} broken off, ${bought}`)
}

const unused = (counts: Readonly<Record<string, number>>): string[] =>
  Object.keys(counts).filter((what) => counts[what] === 0)

/** A slow machine needs longer until every part was used once. */
async function waitForAll(used: () => Readonly<Record<string, number>>): Promise<void> {
  const endsAt = performance.now() + RECOVERY_TIMEOUT_MS
  while (unused(used()).length > 0 && performance.now() < endsAt) await sleep(100)
}

/** Whether a fresh name gets the right verdict again, and a paid endpoint its price. */
async function worksAgain({ host, world }: Chaos, seed: number): Promise<boolean> {
  const endsAt = performance.now() + RECOVERY_TIMEOUT_MS
  for (let count = 0; performance.now() < endsAt; count++) {
    const domains = ['com', 'it'].map((tld) => `again${seed}x${count}.${tld}`)
    const reply = await fetch(`${host.url}/v1/check?domain=${domains.join(',')}`).catch(() => undefined)
    const body = reply?.status === 200 ? ((await reply.json()) as { results: Result[] }) : { results: [] }
    const isRight = ({ domain, status: [verdict] }: Result) =>
      verdict !== 'unknown' && (verdict === 'available') === (world.truthOf(domain).state === 'free')
    const price = await fetch(`${host.url}/v1/valuation/again.com?tier=full`).catch(() => undefined)
    await price?.body?.cancel()
    if (body.results.length === 2 && body.results.every(isRight) && price?.status === 402) return true
    await sleep(250)
  }
  return false
}

type Result = { readonly domain: string; readonly status: readonly string[] }
