import { answerReader } from './answer-reader.ts'
import { pace, saturate } from './drive.ts'
import type { Job } from './job.ts'
import { measured, serveJobs } from './jobs.ts'
import { openPool } from './pool.ts'
import { requestMix } from './requests.ts'

/**
 * The load generator, a child process. The parent sends jobs over the IPC channel. Its argument is the number of client
 * addresses for X-Forwarded-For; with 0, each connection uses its own source address in 127.0.0.0/8.
 */
const addresses = Number(process.argv[2])
const nextRequest = requestMix(addresses, 20_261_115)
const localAddressOf = (index: number): string | undefined =>
  addresses > 0 ? undefined : `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`

serveJobs(async ({ port, connections, bodyLength, load }: Job) =>
  measured(
    await openPool({ port, size: connections, readerOf: () => answerReader(bodyLength), localAddressOf }),
    (pool) => ('rate' in load ? pace(pool, nextRequest, load) : saturate(pool, nextRequest, load)),
  ),
)
