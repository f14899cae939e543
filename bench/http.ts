/** Throughput, latency and memory of the HTTP service, compared with a bare node:http server. `npm run bench:http`. */
import { parseArgs } from 'node:util'
import { createChildren, type Children } from './children.ts'
import { startBare, startGenerator, startOnoma } from './contest.ts'
import { type Memory, measureMemory, type MemoryPlan } from './memory.ts'
import { memoryReport, speedReport } from './report.ts'
import { measureSpeed, type Speed, type SpeedPlan } from './speed.ts'
import { memoryVerdict, speedVerdicts } from './verdicts.ts'
import { printReport, profileFolder, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:http -- [options]

Measures the service against a bare node:http server that sends the same body.

  --quick              A short run: shows large regressions, not exact figures
  --connections N      Concurrent connections, 32 to 1000 (default 64)
  --no-speed           Skip throughput and latency
  --no-memory          Skip the memory of the service under a million requests
  --profile FOLDER     Write a CPU profile of the service to FOLDER; slows it down
  --json               Print one JSON object instead of tables

Exit code: 0 all targets met, 1 a target missed, 2 the measurement failed.
`

const TIMEOUT_MS = 20 * 60_000

/** Where loopback has only 127.0.0.1, the requests to both servers name their client in X-Forwarded-For. */
const SPEED_ADDRESSES = process.platform === 'linux' ? 0 : 1_000

type Options = { quick: boolean; connections: number; speed: boolean; memory: boolean; profile: string | undefined }

async function measure(children: Children, options: Options) {
  const { quick, connections, profile } = options
  const speedPlan: SpeedPlan = quick
    ? { connections, starts: 1, warmUpSeconds: 2, seconds: 1, pairs: 3, maxPairs: 6, maxWaitSeconds: 2 }
    : { connections, starts: 5, warmUpSeconds: 4, seconds: 1.5, pairs: 3, maxPairs: 9, maxWaitSeconds: 15 }
  const memoryPlan: MemoryPlan = quick
    ? { connections, requests: 300_000, addresses: 100_000, settled: 200_000, step: 50_000 }
    : { connections, requests: 1_000_000, addresses: 100_000, settled: 200_000, step: 100_000 }
  let speed: Speed | undefined
  let memory: Memory | undefined
  if (options.speed) {
    const generator = startGenerator(children, SPEED_ADDRESSES)
    const startServers = async () => {
      const onoma = await startOnoma(children, profile)
      return { onoma, bare: await startBare(children, onoma.body) }
    }
    speed = await measureSpeed(generator, startServers, speedPlan, showProgress)
    await generator.stop()
  }
  if (options.memory) {
    // In a new process: memory left over from an earlier measurement would hide growth.
    const onoma = await startOnoma(children, profile)
    memory = await measureMemory(startGenerator(children, memoryPlan.addresses), onoma, memoryPlan, showProgress)
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
    const { speed, memory } = await measure(children, { ...values, connections, profile })
    return printReport({
      json: values.json,
      heading: `, ${connections} connections`,
      sections: [...(speed ? [speedReport(speed)] : []), ...(memory ? [memoryReport(memory)] : [])],
      data: { connections, speed, memory },
      verdicts: [...(speed ? speedVerdicts(speed) : []), ...(memory ? [memoryVerdict(memory)] : [])],
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
