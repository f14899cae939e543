import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Node does not strip types from files under node_modules; this hook makes each thread do it. */
const TYPE_STRIPPING_HOOK = new URL('../../../bin/typescript.js', import.meta.url)

/** Starts a worker thread that runs this file. */
export const startThread = (file: URL, workerData: unknown, resourceLimits: ResourceLimits = {}): Worker =>
  new Worker(file, {
    workerData,
    stdin: false,
    resourceLimits,
    ...(/\/node_modules\/.*\.ts$/.test(file.href) && { execArgv: ['--import', TYPE_STRIPPING_HOOK.href] }),
  })
