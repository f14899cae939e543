import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { describeFault, FAULT_KINDS, randomFault } from '../support/fault.ts'
import { createDelayMeter } from '../support/hang.ts'
import { describeUse, measureUse } from './baseline.ts'
import { FACILITATOR } from './proxies.ts'
import { type Chaos, type ChaosPlan, type NetworkRound, type PlannedFault, type Round, runRound } from './round.ts'
import { createChaosClock, createChaosService } from './service.ts'
import { restartedWith, runSpecialRound } from './special-rounds.ts'
import { startChaosWorld } from './world.ts'

/** Runs the rounds one after another against one service. Returns a sentence for every broken promise. */
export async function runChaos(plan: ChaosPlan): Promise<string[]> {
  const clock = createChaosClock()
  const world = await startChaosWorld(plan.seed, clock)
  try {
    const host = await createChaosService(world, clock)
    const meter = createDelayMeter(host.pid)
    try {
      const service = await host.start()
      const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Json
      const chaos: Chaos = {
        plan,
        random: seededRandom(plan.seed),
        world,
        host,
        document,
        problems: [],
        service,
        rounds: 0,
        calm: undefined,
        meter,
      }
      await runRounds(chaos)
      return chaos.problems
    } finally {
      meter.stop()
      await host.stop()
    }
  } finally {
    await world.stop()
  }
}

async function runRounds(chaos: Chaos): Promise<void> {
  const { plan } = chaos
  const network = plan.rounds.filter((round) => round.what === 'network')
  await runNetworkRounds(
    chaos,
    network.filter(({ byFacilitator }) => !byFacilitator),
  )
  const facilitated = network.filter(({ byFacilitator }) => byFacilitator)
  if (facilitated.length > 0)
    await restartedWith(chaos, { settlement: 'facilitator' }, () => runNetworkRounds(chaos, facilitated))
  for (const round of plan.rounds) if (round.what !== 'network') await runSpecialRound(chaos, round)
}

/** A round without faults shows what is normal for this service; then those with faults. */
async function runNetworkRounds(chaos: Chaos, rounds: readonly NetworkRound[]): Promise<void> {
  const { plan } = chaos
  chaos.calm = undefined
  await runRound(chaos, { what: 'network', faults: [] }, () => sleep(plan.roundMs))
  chaos.calm = await measureUse(chaos.service)
  plan.print(`calm: ${describeUse(chaos.calm)}`)
  for (const round of rounds) {
    await runRound(chaos, round, async () => {
      const ending = new AbortController()
      const breaking = round.faults.map((fault) => applyFault(chaos, fault, ending.signal))
      await sleep(plan.roundMs)
      ending.abort()
      await Promise.all(breaking)
    })
  }
  plan.print(`afterwards: ${describeUse(await measureUse(chaos.service))}`)
}

/** The longest time that a flapping fault is on or off. */
const MAX_FLAP_MS = 300

/** Until the signal; the round heals everything afterwards. */
async function applyFault({ plan, world, random }: Chaos, planned: PlannedFault, signal: AbortSignal): Promise<void> {
  const { group, kind, flaps = false } = planned
  const fault = randomFault(kind, random)
  plan.print(`  ${group}: ${describeFault(fault)}${flaps ? ', on and off' : ''}`)
  world.set(group, fault)
  if (!flaps) return
  while (!signal.aborted) {
    await sleep(random.below(MAX_FLAP_MS), undefined, { signal }).catch(() => {})
    world.set(group, { kind: 'none' })
    await sleep(random.below(MAX_FLAP_MS), undefined, { signal }).catch(() => {})
    if (!signal.aborted) world.set(group, fault)
  }
}

/** Rounds of a whole run: every kind of fault at a random upstream, several at once, then the machine's own faults. */
export function planRounds({
  seed,
  count,
  groups,
}: {
  seed: number
  count: number
  groups: readonly string[]
}): Round[] {
  const random = seededRandom(seed)
  const pick = () => groups[random.below(groups.length)]!
  const network = Array.from({ length: count }, (_, at): Round => {
    const kind = FAULT_KINDS[at % FAULT_KINDS.length]!
    const others = Array.from({ length: random.below(4) }, () => FAULT_KINDS[random.below(FAULT_KINDS.length)]!)
    return {
      what: 'network',
      faults: [kind, ...others].map((one) => ({ group: pick(), kind: one, flaps: random.below(2) === 0 })),
    }
  })
  // At the facilitator one fault after another, half of them with something else broken too.
  const facilitated = Array.from({ length: Math.ceil(count / 3) }, (_, at): Round => {
    const kind = FAULT_KINDS[(at + random.below(2)) % FAULT_KINDS.length]!
    const other = { group: pick(), kind: FAULT_KINDS[random.below(FAULT_KINDS.length)]! }
    const faults = [{ group: FACILITATOR, kind, flaps: random.below(4) > 0 }, ...(random.below(2) === 0 ? [other] : [])]
    return { what: 'network', byFacilitator: true, faults }
  })
  return [
    ...network,
    ...facilitated,
    { what: 'pages', kinds: FAULT_KINDS },
    { what: 'kill' },
    { what: 'kill' },
    { what: 'kill' },
    { what: 'few files' },
    { what: 'full disk' },
    { what: 'read-only disk' },
    { what: 'wrong clock', days: 3 },
    { what: 'wrong clock', days: -3 },
  ]
}
