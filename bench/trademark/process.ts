/** A process of the bench: does what it is told over its channel, one thing after the other, and tells what it took. */
import { dirname } from 'node:path'
import { generateRegister } from '../../sandbox/trademark/generator.ts'
import type { SearchIndex } from '../../src/trademark/search-index.ts'
import { askAll, askMixed, type AskPlan } from './asking.ts'
import { readFileOnly, writeFiles, type FilePlan } from './files.ts'
import { buildSegment, importFiles, nameOf, openIndex, takeRecords } from './index-under-test.ts'
import { buildPeer, openPeer } from './peer.ts'
import { ask, createQuestions } from './questions.ts'
import { cpuMs, spentOn, type Spent } from './usage.ts'

export type RegisterSize = { readonly seed: number; readonly size: number }
export type Task =
  | ({ readonly task: 'build' | 'build segment' | 'build peer'; readonly path: string } & RegisterSize)
  | ({ readonly task: 'write files' } & FilePlan)
  | { readonly task: 'read file'; readonly path: string }
  | { readonly task: 'import'; readonly folder: string; readonly files: readonly string[] }
  | ({ readonly task: 'ask peer'; readonly path: string; readonly plan: AskPlan } & RegisterSize)
  | { readonly task: 'open'; readonly folder: string; readonly threads: number }
  | ({ readonly task: 'ask'; readonly plan: AskPlan } & RegisterSize)
  | ({ readonly task: 'ask mixed'; readonly seconds: number; readonly atOnce: number } & RegisterSize)
  | { readonly task: 'wait for'; readonly mark: string }
export type Told = { readonly result: unknown } | { readonly error: string }
/** What a build spent beside making up the records. */
export type Built = { readonly spent: Spent; readonly inventingCpuMs: number; readonly peakRssBytes: number }

/** So many are made up alone, to know what that costs. */
const SAMPLE = 50_000
/** Each look is a whole search, and must not take much of what the import needs. */
const POLL_MS = 100

let index: SearchIndex | null = null
const opened = () => {
  if (!index) throw new Error('Nothing is open.')
  return index
}

async function build(take: () => unknown, { seed, size }: RegisterSize): Promise<Built> {
  const sample = Math.min(size, SAMPLE)
  // Twice, because the first records are made while the compiler is still at work.
  for (const _record of generateRegister({ seed, size: Math.min(sample, 10_000) })) continue
  const cpu = cpuMs()
  for (const _record of generateRegister({ seed, size: sample })) continue
  const inventingCpuMs = ((cpuMs() - cpu) * size) / sample
  const { spent } = await spentOn(take)
  return { spent, inventingCpuMs, peakRssBytes: process.resourceUsage().maxRSS * 1024 }
}

/** What the index alone takes where the records are at hand. */
function segment(path: string, register: RegisterSize): Pick<Spent, 'cpuMs'> {
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
      return build(() => takeRecords(task.path, nameOf(task), generateRegister(task)), task)
    case 'build segment':
      return segment(task.path, task)
    case 'build peer':
      return build(() => buildPeer(task.path, generateRegister(task)), task)
    case 'write files':
      return writeFiles(task)
    case 'read file':
      return spentOn(() => readFileOnly(task.path))
    case 'import':
      return spentOn(() => importFiles(task.folder, task.files))
    case 'ask peer': {
      const peer = openPeer(task.path)
      return askAll(peer.ask, createQuestions(task), task.plan).finally(peer.close)
    }
    case 'open': {
      const { spent } = await spentOn(async () => {
        index = openIndex(task.folder, { threads: task.threads })
        // Every thread has it open when each has answered.
        await Promise.all(Array.from({ length: task.threads }, () => opened().search(FIRST)))
      })
      return { spent, ...index!.info(), folder: dirname(task.folder) }
    }
    case 'ask':
      return askAll((question) => ask(opened(), question), createQuestions(task), task.plan)
    case 'ask mixed':
      return askMixed((question) => ask(opened(), question), createQuestions(task).mixed(5_000), task)
    case 'wait for':
      return spentOn(() => waitFor(task.mark))
  }
}

const FIRST = { text: 'first question', life: 'all', offset: 0, limit: 10 } as const

/** Until a mark is found, which is there only after an import. */
async function waitFor(mark: string): Promise<void> {
  while (true) {
    const { hits } = await opened().search({ text: mark, life: 'all', offset: 0, limit: 1 })
    if (hits[0]?.record.mark === mark) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

process.on('message', (message: Task) => {
  if (!('task' in message)) return
  const tell = (told: Told) => process.send!(told)
  run(message).then(
    (result) => tell({ result }),
    (error: unknown) => tell({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
// The gauge lets the channel go; here it is what there is to wait for.
process.channel?.ref()
