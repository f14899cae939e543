/** A worker process of the bench: runs the tasks it receives over the IPC channel and replies with their figures. */
import { dirname } from 'node:path'
import { generateRegister } from '../../sandbox/trademark/generator.ts'
import type { SearchIndex } from '../../src/trademark/search-index.ts'
import { runImportCommand } from './command.ts'
import { cpuMs, measureTime, type Spent } from './cpu-time.ts'
import { countRecords, writeFiles, type FilePlan } from './files.ts'
import { buildSegment, importFiles, ingestRecords, openIndex, registerName } from './index-under-test.ts'
import { measureKinds, measureMixed, type QueryPlan } from './latencies.ts'
import { createQueries, runOn } from './queries.ts'
import { buildPeer, openPeer } from './sqlite-peer.ts'

export type RegisterSize = { readonly seed: number; readonly size: number }
export type Task =
  | ({ readonly task: 'build' | 'build segment' | 'build peer'; readonly path: string } & RegisterSize)
  | ({ readonly task: 'write files' } & FilePlan)
  | { readonly task: 'read file'; readonly path: string }
  | { readonly task: 'import' | 'import command'; readonly folder: string; readonly files: readonly string[] }
  | ({ readonly task: 'query peer'; readonly path: string; readonly plan: QueryPlan } & RegisterSize)
  | { readonly task: 'open'; readonly folder: string; readonly threads: number }
  | ({ readonly task: 'query'; readonly plan: QueryPlan } & RegisterSize)
  | ({ readonly task: 'query mixed'; readonly seconds: number; readonly concurrency: number } & RegisterSize)
  | { readonly task: 'wait for'; readonly mark: string }
export type TaskReply = { readonly result: unknown } | { readonly error: string }
/** The cost of a build; `spent` includes `generatingCpuMs`, the estimated cost of generating the records. */
export type Built = { readonly spent: Spent; readonly generatingCpuMs: number; readonly peakRssBytes: number }

/** Records generated without an index, to estimate the cost of generating. */
const SAMPLE_RECORDS = 50_000
/** Each poll is a full search and must not slow down the import. */
const POLL_MS = 100

let index: SearchIndex | null = null
const opened = () => {
  if (!index) throw new Error('No index is open.')
  return index
}

const peakRssBytes = () => process.resourceUsage().maxRSS * 1024

async function build(work: () => unknown, { seed, size }: RegisterSize): Promise<Built> {
  const sample = Math.min(size, SAMPLE_RECORDS)
  // A first run warms up the compiler.
  for (const _record of generateRegister({ seed, size: Math.min(sample, 10_000) })) continue
  const cpu = cpuMs()
  for (const _record of generateRegister({ seed, size: sample })) continue
  const generatingCpuMs = ((cpuMs() - cpu) * size) / sample
  const { spent } = await measureTime(work)
  return { spent, generatingCpuMs, peakRssBytes: peakRssBytes() }
}

/** The CPU time of indexing alone, without generating the records. */
function timeSegment(path: string, register: RegisterSize): Pick<Spent, 'cpuMs'> {
  let spent = 0
  buildSegment(path, generateRegister(register), (work) => {
    const before = cpuMs()
    work()
    spent += cpuMs() - before
  })
  return { cpuMs: spent }
}

async function run(task: Task): Promise<unknown> {
  switch (task.task) {
    case 'build':
      return build(() => ingestRecords(task.path, registerName(task), generateRegister(task)), task)
    case 'build segment':
      return timeSegment(task.path, task)
    case 'build peer':
      return build(() => buildPeer(task.path, generateRegister(task)), task)
    case 'write files':
      return writeFiles(task)
    case 'read file':
      return measureTime(() => countRecords(task.path))
    case 'import':
      return measureTime(() => importFiles(task.folder, task.files))
    case 'import command':
      return runImportCommand(task.folder, task.files)
    case 'query peer': {
      const peer = openPeer(task.path)
      return measureKinds(peer.runQuery, createQueries(task), task.plan).finally(peer.close)
    }
    case 'open': {
      const { spent } = await measureTime(async () => {
        index = openIndex(task.folder, { threads: task.threads })
        // Once each has answered a query, every thread has opened the index.
        await Promise.all(Array.from({ length: task.threads }, () => opened().search(FIRST_QUERY)))
      })
      return { spent, ...index!.info(), folder: dirname(task.folder) }
    }
    case 'query':
      return measureKinds((query) => runOn(opened(), query), createQueries(task), task.plan)
    case 'query mixed':
      return measureMixed((query) => runOn(opened(), query), createQueries(task).mixed(5_000), task)
    case 'wait for':
      return measureTime(() => waitForMark(task.mark))
  }
}

const FIRST_QUERY = { text: 'first query', life: 'all', offset: 0, limit: 10 } as const

/** Polls until a mark is found, which exists only after an import. */
async function waitForMark(mark: string): Promise<void> {
  while (true) {
    const { hits } = await opened().search({ text: mark, life: 'all', offset: 0, limit: 1 })
    if (hits[0]?.record.mark === mark) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

process.on('message', (message: Task) => {
  if (!('task' in message)) return
  const reply = (message: TaskReply) => process.send!(message)
  run(message).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
// `gauge.ts` unrefs the channel, but this process waits for tasks.
process.channel?.ref()
