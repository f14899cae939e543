/**
 * Load generator for one kind of request, in its own process, driven over the parent's channel like that of `bench:http`.
 * Started with the target and the expected status. With `clients`, each request has one of that many addresses in
 * X-Forwarded-For, and `{n}` in the target becomes a unique number.
 */
import { saturate } from '../load/drive.ts'
import type { Job } from '../load/job.ts'
import { measured, serveJobs } from '../load/jobs.ts'
import { openPool } from '../load/pool.ts'
import { answerReader } from './answer-reader.ts'

export type Kind = {
  readonly target: string
  readonly status: number
  readonly clients: number
  /** Further header lines of each request. */
  readonly headers?: readonly string[]
}

const { target, status, clients, headers = [] } = JSON.parse(process.argv[2]!) as Kind
const nextRequest = clients > 0 ? manyRequests() : oneRequest()
/** On other systems only 127.0.0.1 is a loopback address. */
const localAddressOf = (index: number): string | undefined =>
  clients > 0 || process.platform !== 'linux' ? undefined : `127.0.1.${1 + (index % 250)}`

serveJobs(async ({ port, connections, bodyLength, load }: Job) => {
  if ('rate' in load) throw new Error('Only jobs at saturation are supported.')
  const readerOf = () => answerReader({ status, bodyLength })
  const pool = await openPool({ port, size: connections, readerOf, localAddressOf })
  return measured(pool, () => saturate(pool, nextRequest, load))
})

function oneRequest(): () => Buffer {
  const only = requestBytes(target, headers)
  return () => only
}

function manyRequests(): () => Buffer {
  let sent = 0
  return () => {
    const client = sent % clients
    // From 198.18.0.0/15, which is reserved for benchmarks (RFC 2544).
    const address = `198.${18 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}`
    const number = String(sent++).padStart(8, '0')
    return requestBytes(target.replace('{n}', number), [`X-Forwarded-For: ${address}`])
  }
}

function requestBytes(asked: string, more: readonly string[]): Buffer {
  const usual = ['Host: 127.0.0.1', 'User-Agent: onoma-bench/1', 'Accept: application/json']
  return Buffer.from(`${[`GET ${asked} HTTP/1.1`, ...usual, ...more].join('\r\n')}\r\n\r\n`)
}
