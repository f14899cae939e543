/** Runs one step in a child process that kills itself at a failpoint. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mergeSegments } from './merge.ts'
import type { Failpoint } from './failpoints.ts'
import { clock, FILES } from './index.fixture.ts'
import { ingest } from './ingest.ts'

export type Step = 'import' | 'merge'
export type Plan = {
  readonly folder: string
  readonly step: Step
  /** Number of files to import. */
  readonly files: number
  readonly point: Failpoint
  /** Which pass of the failpoint kills the process, counted from 1. */
  readonly time: number
  /** Whether segments are built in a worker. */
  readonly inThread: boolean
}

export async function runStep(
  { folder, step, files, inThread }: Omit<Plan, 'point' | 'time'>,
  at?: (point: Failpoint) => void,
) {
  const work = { clock, at, maxInlineRecords: inThread ? 0 : undefined }
  if (step === 'import') await ingest(folder, FILES.slice(0, files), work)
  else await mergeSegments(folder, work)
}

/** True if the process was killed; false if it ended without reaching the failpoint. */
export async function killed(plan: Plan, compiled: string): Promise<boolean> {
  const child = spawn(process.execPath, [import.meta.filename, JSON.stringify(plan)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Compiling the modules takes half of the child's time; share the compile cache.
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled },
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The process failed: ${stderr}`)
  return signal === 'SIGKILL'
}

if (import.meta.main) {
  const plan = JSON.parse(process.argv[2]!) as Plan
  let times = 0
  await runStep(plan, (point) => {
    if (point !== plan.point || ++times !== plan.time) return
    process.kill(process.pid, 'SIGKILL')
    // SIGKILL arrives a moment later; block until then.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
}
