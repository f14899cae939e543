import { saturate } from '../load/drive.ts'
import { measured, serveJobs } from '../load/jobs.ts'
import { openPool } from '../load/pool.ts'
import { answerReader } from './answer-reader.ts'

/** The load generator, a child process. The parent sends jobs over the IPC channel. */
export type Job = {
  readonly ask: 'drive'
  readonly port: number
  readonly connections: number
  /** Complete requests as sent over the wire, used in turn. */
  readonly requests: readonly string[]
  readonly load: { readonly seconds: number } | { readonly requests: number }
}

serveJobs(async ({ port, connections, requests: texts, load }: Job) => {
  const requests = texts.map((text) => Buffer.from(text))
  let sent = 0
  const pool = await openPool({ port, size: connections, readerOf: answerReader })
  return measured(pool, () => saturate(pool, () => requests[sent++ % requests.length]!, load))
})
