import type { Histogram } from './histogram.ts'
import type { Load } from './job.ts'
import type { Pool } from './pool.ts'

/** Runs the jobs that the parent sends over the IPC channel. */
export function serveJobs(run: (job: never) => Promise<Load>): void {
  process.on('message', (job: { readonly ask?: unknown }) => {
    if (job.ask !== 'drive') return
    run(job as never).then(
      (load) => process.send!(load),
      (error: unknown) =>
        process.send!({ failed: error instanceof Error ? error.message : String(error) } satisfies Load),
    )
  })
  // Keeps this process alive between jobs.
  process.channel!.ref()
}

type Driven = { readonly latencies: Histogram; readonly seconds: number }

/** Measures one run over a pool, then closes the pool. */
export async function measured(pool: Pool, drive: (pool: Pool) => Promise<Driven>): Promise<Load> {
  try {
    const before = process.cpuUsage()
    const { latencies, seconds } = await drive(pool)
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
