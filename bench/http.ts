import { parseArgs } from 'node:util'
import { createChildren, type Children } from './children.ts'
import { startBare, startGenerator, startOnoma } from './contest.ts'
import { type Memory, measureMemory, type MemoryPlan } from './memory.ts'
import { memoryReport, speedReport, verdictLines } from './report.ts'
import { measureSpeed, type Speed, type SpeedPlan } from './speed.ts'
import { memoryVerdict, speedVerdicts } from './verdicts.ts'
import { machine, profileFolder, runAsCommand, tell } from './run.ts'

const HELP = `npm run bench:http -- [options]

Measures the service against a bare node:http server that sends the same body.

  --quick              A short run: enough to see a large mistake, too noisy for a figure
  --connections N      Connections that ask at once, 32 to 1000 (default 64)
  --no-speed           Leave out throughput and latency
  --no-memory          Leave out the memory of the service under a million requests
  --profile FOLDER     Leave a processor profile of the service in FOLDER; slows it down
  --json               Print one JSON object instead of tables

Exit code: 0 all targets met, 1 one missed, 2 it could not be measured.
`

/** Nothing here takes as long; whatever still runs then is killed. */
const DEADLINE_MS = 20 * 60_000

/** Where only 127.0.0.1 is on loopback, clients are told apart by header in both servers' requests. */
const ADDRESSES_FOR_SPEED = process.platform === 'linux' ? 0 : 1_000

type Options = { quick: boolean; connections: number; speed: boolean; memory: boolean; profile: string | undefined }

async function measure(children: Children, options: Options, tell: (what: string) => void) {
  const { quick, connections, profile } = options
  const speedPlan: SpeedPlan = quick
    ? { connections, starts: 1, warmUpSeconds: 2, seconds: 1, pairs: 3, atMost: 6, patienceSeconds: 2 }
    : { connections, starts: 5, warmUpSeconds: 4, seconds: 1.5, pairs: 3, atMost: 9, patienceSeconds: 15 }
  const memoryPlan: MemoryPlan = quick
    ? { connections, requests: 300_000, addresses: 100_000, settled: 200_000, step: 50_000 }
    : { connections, requests: 1_000_000, addresses: 100_000, settled: 200_000, step: 100_000 }
  let speed: Speed | undefined
  let memory: Memory | undefined
  if (options.speed) {
    const generator = startGenerator(children, ADDRESSES_FOR_SPEED)
    const startServers = async () => {
      const onoma = await startOnoma(children, profile)
      return { onoma, bare: await startBare(children, onoma.body) }
    }
    speed = await measureSpeed(generator, startServers, speedPlan, tell)
    await generator.stop()
  }
  if (options.memory) {
    // A process of its own: what an earlier measurement left behind would hide growth.
    const onoma = await startOnoma(children, profile)
    memory = await measureMemory(startGenerator(children, memoryPlan.addresses), onoma, memoryPlan, tell)
    await onoma.child.stop()
  }
  return { speed, memory }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      connections: { type: 'string', default: '64' },
      speed: { type: 'boolean', default: true },
      memory: { type: 'boolean', default: true },
      profile: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const connections = Number(values.connections)
  if (!Number.isInteger(connections) || connections < 32 || connections > 1000) {
    throw new Error(`--connections must be a whole number from 32 to 1000, not ${values.connections}.`)
  }
  const profile = profileFolder(values.profile)
  const children = createChildren()
  try {
    const { speed, memory } = await measure(children, { ...values, connections, profile }, tell)
    tell('')
    const verdicts = [...(speed ? speedVerdicts(speed) : []), ...(memory ? [memoryVerdict(memory)] : [])]
    const report = values.json
      ? JSON.stringify({ machine: machine(), connections, speed, memory, verdicts }, null, 2)
      : [
          `${machine()}, ${connections} connections\n`,
          ...(speed ? [`${speedReport(speed)}\n`] : []),
          ...(memory ? [`${memoryReport(memory)}\n`] : []),
          verdictLines(verdicts),
        ].join('\n')
    process.stdout.write(`${report}\n`)
    return verdicts.every(({ met }) => met) ? 0 : 1
  } finally {
    await children.stop()
  }
}

await runAsCommand(DEADLINE_MS, main)
