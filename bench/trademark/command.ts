import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Spent } from './cpu-time.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/onoma.js', import.meta.url))
/** Writes the usage of the whole process, all threads together, to its fourth stream. Plain JavaScript: nothing to compile. */
const REPORT_USAGE = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.on('exit', () => writeSync(3, JSON.stringify(process.resourceUsage())))
`)}`

export type ImportCost = Spent & { readonly peakRssBytes: number }

/** Runs `onoma trademark import` as an operator does, from its start to its end. */
export async function runImportCommand(folder: string, files: readonly string[]): Promise<ImportCost> {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', REPORT_USAGE, LAUNCHER, 'trademark', 'import', ...files], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ONOMA_TRADEMARK_INDEX: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [output, errors, usage] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    child.exitCode === null ? once(child, 'close') : null,
  ])
  if (child.exitCode !== 0) throw new Error(`onoma trademark import failed: ${output}${errors}`)
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(usage) as NodeJS.ResourceUsage
  return {
    wallMs: performance.now() - start,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    peakRssBytes: maxRSS * 1024,
  }
}
