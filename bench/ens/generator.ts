import { saturate } from '../load/drive.ts'
import { measured, serveJobs } from '../load/jobs.ts'
import { openPool } from '../load/pool.ts'
import { answerReader } from './answer-reader.ts'

/** The load in a process of its own, told over the parent's channel what to send. */
export type Job = {
  readonly ask: 'drive'
  readonly port: number
  readonly connections: number
  /** Whole requests as they go over the wire, sent in turn. */
  readonly requests: readonly string[]
  readonly load: { readonly seconds: number } | { readonly requests: number }
}

serveJobs(async ({ port, connections, requests: texts, load }: Job) => {
  const requests = texts.map((text) => Buffer.from(text))
  let sent = 0
  const pool = await openPool({ port, size: connections, readerOf: answerReader })
  return measured(pool, () => saturate(pool, () => requests[sent++ % requests.length]!, load))
})
