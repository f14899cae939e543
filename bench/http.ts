/** Throughput, latency and memory of the HTTP service, compared with a bare node:http server. `npm run bench:http`. */
import { parseArgs } from 'node:util'
import { type Child, createChildren, type Children } from './children.ts'
import { BARE_KINDS, type BareKind, round, startBare, startGenerator, startOnoma } from './contest.ts'
import { type Memory, measureMemory, type MemoryPlan } from './memory.ts'
import { memoryReport, speedReport } from './report.ts'
import { measureSpeed, median, type Speed, type SpeedPlan } from './speed.ts'
import { memoryVerdicts, speedVerdicts } from './verdicts.ts'
import { printReport, profileFolder, runAsCommand, showProgress } from './run.ts'

const HELP = `npm run bench:http -- [options]

Measures the service against a bare node:http server that sends the same body, as text or as bytes: the faster of both.

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
    let kind: BareKind | undefined
    const startServers = async () => {
      const onoma = await startOnoma(children, profile)
      kind ??= await fasterKind(children, generator, onoma.body, connections)
      return { onoma, bare: await startBare(children, onoma.body, kind) }
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

/** Which bare server needs less CPU time per request: that ratio does not depend on other programs, as requests/s do. */
async function fasterKind(children: Children, generator: Child, body: string, connections: number): Promise<BareKind> {
  const bares = await Promise.all(BARE_KINDS.map((kind) => startBare(children, body, kind)))
  const costs = BARE_KINDS.map((): number[] => [])
  for (let turn = 0; turn < PROBE_TURNS; turn++) {
    for (const [at, bare] of bares.entries()) {
      const { cpuMicrosPerRequest } = await round(generator, bare, connections, { seconds: PROBE_SECONDS })
      // The first turn compiles the code.
      if (turn > 0) costs[at]!.push(cpuMicrosPerRequest)
    }
  }
  await Promise.all(bares.map(({ child }) => child.stop()))
  const [text, bytes] = costs.map(median) as [number, number]
  const kind = text <= bytes ? 'text' : 'bytes'
  process.stderr.write(`bare server: ${kind} (CPU µs/req: text ${text.toFixed(1)}, bytes ${bytes.toFixed(1)})\n`)
  return kind
}

const PROBE_TURNS = 4
const PROBE_SECONDS = 0.7

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
      verdicts: [...(speed ? speedVerdicts(speed) : []), ...(memory ? memoryVerdicts(memory) : [])],
    })
  } finally {
    await children.stop()
  }
}

await runAsCommand(TIMEOUT_MS, main)
