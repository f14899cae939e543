import { type ResourceLimits, Worker } from 'node:worker_threads'

/** Node takes the types off TypeScript everywhere but under node_modules, where each thread has to be taught to. */
const TEACH = new URL('../../../bin/typescript.js', import.meta.url)

/** A thread that runs this file. */
export const startThread = (file: URL, workerData: unknown, resourceLimits: ResourceLimits = {}): Worker =>
  new Worker(file, {
    workerData,
    stdin: false,
    resourceLimits,
    ...(file.href.includes('/node_modules/') && { execArgv: ['--import', TEACH.href] }),
  })
