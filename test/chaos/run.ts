import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Json } from '../../src/surfaces/openapi/schemas.ts'
import { describeFault, FAULT_KINDS, randomFault } from '../support/fault.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { type Chaos, type ChaosPlan, RECOVERY_TIMEOUT_MS, type Round, runRound } from './round.ts'
import { createChaosClock, createChaosService } from './service.ts'
import { runSpecialRound } from './special-rounds.ts'
import { startChaosWorld } from './world.ts'

const MAX_DESCRIPTORS_ABOVE = 24
const MAX_HEAP_GROWTH = 1.35
const HEAP_MARGIN_BYTES = 24e6

/** Runs the rounds one after another against one service. Returns a sentence for every broken promise. */
export async function runChaos(plan: ChaosPlan): Promise<string[]> {
  const clock = createChaosClock()
  const world = await startChaosWorld(plan.seed, clock)
  try {
    const host = await createChaosService(world, clock)
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
      }
      await runRounds(chaos)
      return chaos.problems
    } finally {
      await host.stop()
    }
  } finally {
    await world.stop()
  }
}

async function runRounds(chaos: Chaos): Promise<void> {
  const { plan } = chaos
  await runRound(chaos, { what: 'network', faults: [] }, () => sleep(plan.roundMs))
  const calm = await measure(chaos.service)
  plan.print(`calm: ${describeUse(calm)}`)
  const network = plan.rounds.filter((round) => round.what === 'network')
  for (const round of network) {
    await runRound(chaos, round, async () => {
      for (const { group, kind } of round.faults) {
        const fault = randomFault(kind, chaos.random)
        plan.print(`  ${group}: ${describeFault(fault)}`)
        chaos.world.set(group, fault)
      }
      await sleep(plan.roundMs)
    })
  }
  if (network.length > 0) await expectBaseline(chaos, calm)
  for (const round of plan.rounds) if (round.what !== 'network') await runSpecialRound(chaos, round)
}

type Use = { readonly descriptors: number; readonly heapBytes: number }

const measure = async (service: ServiceProcess): Promise<Use> => ({
  descriptors: service.descriptors(),
  heapBytes: (await service.usage()).heapBytes,
})

const describeUse = ({ descriptors, heapBytes }: Use): string =>
  `${descriptors} descriptors, ${Math.round(heapBytes / 1e6)} MB of heap`

/** Idle connections close after a while, so what is left is asked for repeatedly. */
async function expectBaseline({ plan, service, problems }: Chaos, calm: Use): Promise<void> {
  const endsAt = performance.now() + RECOVERY_TIMEOUT_MS
  const isBack = ({ descriptors, heapBytes }: Use) =>
    descriptors <= calm.descriptors + MAX_DESCRIPTORS_ABOVE &&
    heapBytes <= calm.heapBytes * MAX_HEAP_GROWTH + HEAP_MARGIN_BYTES
  let now = await measure(service)
  while (!isBack(now) && performance.now() < endsAt) {
    await sleep(1_000)
    now = await measure(service)
  }
  plan.print(`afterwards: ${describeUse(now)}`)
  if (!isBack(now)) problems.push(`Not back at the base line (${describeUse(calm)}): ${describeUse(now)}.`)
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
    return { what: 'network', faults: [kind, ...others].map((one) => ({ group: pick(), kind: one })) }
  })
  return [
    ...network,
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
