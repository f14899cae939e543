/** Runs the service with broken networks, disks and clocks, and kills it. `npm run test:chaos`. */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { thisMachine } from '../../src/app/wiring/machine.ts'
import { findChromium } from '../../src/intel/sources/chromium/find.ts'
import { planRounds, runChaos } from './run.ts'
import { UPSTREAMS } from './proxies.ts'

const HELP = `npm run test:chaos -- [options]

Starts the service with real payments on simulated chains and a simulated internet, with a fault proxy before every upstream.
Each round breaks something while clients check names and pay. Afterwards no free name may have been a registered one, no
payment lost or taken twice, no request stuck, and the service must work again, with memory and descriptors as before.

  --seed N       The same seed makes the same rounds (default: random, printed)
  --rounds N     Rounds with network faults (default 24). After them come a third as many with a facilitator, then pages,
                 kills, few files, disks and clocks
  --seconds N    Length of a round (default 3)
  --help         Print this help

Exit code: 0 no problem, 1 a promise was broken, 2 the run failed.
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    rounds: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '3' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const [seed, rounds, seconds] = [values.seed, values.rounds, values.seconds].map(Number) as [number, number, number]
const print = (line: string) => void process.stdout.write(`${line}\n`)
if (values.help) process.stdout.write(HELP)
else if (![seed, rounds].every(Number.isSafeInteger) || !(seconds > 0)) {
  process.stderr.write(`--seed and --rounds are whole numbers, --seconds is a number.\n\n${HELP}`)
  process.exitCode = 2
} else {
  const again = `npm run test:chaos -- --seed ${seed} --rounds ${rounds} --seconds ${seconds}`
  print(`Seed ${seed}; repeat with: ${again}`)
  try {
    const problems = await runChaos({
      seed,
      rounds: planRounds({ seed, count: rounds, groups: UPSTREAMS }),
      roundMs: seconds * 1000,
      workers: 8,
      payers: 4,
      browser: findChromium({ machine: thisMachine() }) ?? undefined,
      print,
    })
    print(problems.length === 0 ? 'No promise was broken.' : `${problems.length} problems. Repeat with: ${again}`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}
