/**
 * One kind of request in a process of its own, driven over the parent's channel by the jobs of `bench:http`. Started with
 * what to ask for and the status every answer must have. With `clients`, each request names one of that number of addresses in
 * X-Forwarded-For, and `{n}` in the target is a number that no other request has.
 */
import { saturate } from '../load/drive.ts'
import type { Job } from '../load/job.ts'
import { measured, serveJobs } from '../load/jobs.ts'
import { openPool } from '../load/pool.ts'
import { answerReader } from './answer-reader.ts'

export type Kind = { readonly target: string; readonly status: number; readonly clients: number }

const { target, status, clients } = JSON.parse(process.argv[2]!) as Kind
const nextRequest = clients > 0 ? manyRequests() : oneRequest()
/** Where only 127.0.0.1 is on loopback, all ask from there. */
const localAddressOf = (index: number): string | undefined =>
  clients > 0 || process.platform !== 'linux' ? undefined : `127.0.1.${1 + (index % 250)}`

serveJobs(async ({ port, connections, bodyLength, load }: Job) => {
  if ('rate' in load) throw new Error('Here everything is at saturation.')
  const readerOf = () => answerReader({ status, bodyLength })
  const pool = await openPool({ port, size: connections, readerOf, localAddressOf })
  return measured(pool, () => saturate(pool, nextRequest, load))
})

function oneRequest(): () => Buffer {
  const only = requestBytes(target, [])
  return () => only
}

function manyRequests(): () => Buffer {
  let sent = 0
  return () => {
    const client = sent % clients
    // Of the range set aside for measurements.
    const address = `198.${18 + (client >> 16)}.${(client >> 8) & 255}.${client & 255}`
    const number = String(sent++).padStart(8, '0')
    return requestBytes(target.replace('{n}', number), [`X-Forwarded-For: ${address}`])
  }
}

function requestBytes(asked: string, more: readonly string[]): Buffer {
  const usual = ['Host: 127.0.0.1', 'User-Agent: onoma-bench/1', 'Accept: application/json']
  return Buffer.from(`${[`GET ${asked} HTTP/1.1`, ...usual, ...more].join('\r\n')}\r\n\r\n`)
}
