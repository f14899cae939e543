import { saturate } from '../load/drive.ts'
import type { Load } from '../load/generator.ts'
import { openPool } from './pool.ts'

/** The load in a process of its own, told over the parent's channel what to send. */
export type Job = {
  readonly ask: 'drive'
  readonly port: number
  readonly connections: number
  /** Whole requests as they go over the wire, sent in turn. */
  readonly requests: readonly string[]
  readonly load: { readonly seconds: number } | { readonly requests: number }
}

process.on('message', (job: Partial<Job>) => {
  if (job.ask !== 'drive') return
  run(job as Job).then(
    (load) => process.send!(load),
    (error: unknown) =>
      process.send!({ failed: error instanceof Error ? error.message : String(error) } satisfies Load),
  )
})

// Nothing else keeps this process alive between two jobs.
process.channel!.ref()

async function run({ port, connections, requests: texts, load }: Job): Promise<Load> {
  const requests = texts.map((text) => Buffer.from(text))
  let sent = 0
  const pool = await openPool(port, connections)
  try {
    const before = process.cpuUsage()
    const { latencies, seconds } = await saturate(pool, () => requests[sent++ % requests.length]!, load)
    const { user, system } = process.cpuUsage(before)
    return {
      requests: latencies.count,
      seconds,
      p50Ms: latencies.quantile(0.5),
      p99Ms: latencies.quantile(0.99),
      busy: (user + system) / 1e6 / seconds,
    }
  } finally {
    pool.close()
  }
}
