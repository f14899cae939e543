import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { IndexInfo } from '../../src/trademark/search-index.ts'
import type { Child, Children } from '../children.ts'
import type { ImportCost } from './command.ts'
import type { Spent } from './cpu-time.ts'
import { newMark, warmFileCache, type Files } from './files.ts'
import { countDocuments } from './index-under-test.ts'
import type { Latencies, Mixed, QueryPlan } from './latencies.ts'
import type { Built, Task, TaskReply } from './worker.ts'

export type Plan = {
  readonly seed: number
  readonly size: number
  /** A folder with an index of that size, or where it will be built and kept. */
  readonly index: string | undefined
  /** Whether a daily file is imported into that index too. */
  readonly changesIndex?: boolean
  readonly threads: number
  /** Records of the annual file and of the daily file. */
  readonly annual: number
  readonly daily: number
  readonly queries: QueryPlan
  readonly mixedSeconds: number
  /** Records of the SQLite peer; 0 skips it. */
  readonly peer: number
}

export type Outcome = {
  /** Null if the index already existed. */
  readonly build: Built | null
  /** Indexing runInWorker, without generating the records; null if the index already existed. */
  readonly segment: { readonly size: number; readonly cpuMs: number } | null
  readonly file: Files['annual']
  readonly read: Spent
  /** `onoma trademark import` of the annual file, and of its first quarter. */
  readonly import: ImportCost
  readonly quarter: ImportCost & { readonly records: number }
  readonly open: Spent & IndexInfo
  readonly rssOpenBytes: number
  readonly latencies: Latencies
  readonly mixed: Mixed
  readonly rssBytes: number
  /** From the start of the import until a running service finds a new record; null if the index must not change. */
  readonly daily: { readonly visibleMs: number; readonly import: Spent } | null
  readonly peer: {
    readonly size: number
    readonly build: Built
    readonly bytes: number
    readonly latencies: Latencies
  } | null
}

const WORKER = new URL('worker.ts', import.meta.url)
const MAX_SEGMENT_RECORDS = 1_000_000
const TASK_TIMEOUT_MS = 4 * 60 * 60_000

async function runTask<Result>(child: Child, task: Task): Promise<Result> {
  const reply = await child.ask<TaskReply>(task, TASK_TIMEOUT_MS)
  if ('error' in reply) throw new Error(`${task.task}: ${reply.error}`)
  return reply.result as Result
}

/** Runs every part in its own process, so that no part profits or suffers from the memory and caches of another. */
export async function measureTrademark(
  children: Children,
  plan: Plan,
  showProgress: (what: string) => void,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const runInWorker = async <Result>(task: Task): Promise<Result> => {
    const child = children.start(WORKER)
    try {
      return await runTask<Result>(child, task)
    } finally {
      await child.stop()
    }
  }
  const { seed, size } = plan
  const index = plan.index ?? join(folder, 'index')
  const indexExists = countDocuments(index) !== null
  try {
    showProgress(`building the index of ${size} records`)
    const build = indexExists ? null : await runInWorker<Built>({ task: 'build', path: index, seed, size })
    const segment = indexExists ? null : await measureSegment(runInWorker, join(folder, 'segment'), plan, showProgress)
    const known = countDocuments(index) ?? size
    showProgress('writing register files')
    const files = await runInWorker<Files>({
      task: 'write files',
      folder,
      seed,
      size,
      known,
      annual: plan.annual,
      daily: plan.daily,
    })
    showProgress('reading and importing register files')
    const { spent: read } = await runInWorker<{ spent: Spent }>({ task: 'read file', path: files.annualPath })
    const importFile = (path: string) =>
      runInWorker<ImportCost>({
        task: 'import command',
        folder: join(folder, `imported-${basename(path)}`),
        files: [path],
      })
    const quarter = await importFile(files.quarterPath)
    const imported = await importFile(files.annualPath)
    showProgress('warming the file cache')
    await warmFileCache(index)
    showProgress('queries')
    const server = children.start(WORKER)
    const open = await runTask<{ spent: Spent } & IndexInfo>(server, {
      task: 'open',
      folder: index,
      threads: plan.threads,
    })
    if (open.documents < size) throw new Error(`The index has ${open.documents} records instead of ${size}.`)
    const { rssBytes: rssOpenBytes } = await server.usage()
    const latencies = await runTask<Latencies>(server, { task: 'query', seed, size, plan: plan.queries })
    const concurrency = plan.threads * 2
    const mixed = await runTask<Mixed>(server, {
      task: 'query mixed',
      seed,
      size,
      seconds: plan.mixedSeconds,
      concurrency,
    })
    const { rssBytes } = await server.usage()
    const importsDaily = plan.index === undefined || plan.changesIndex === true
    if (importsDaily) showProgress('importing a daily file')
    const daily = importsDaily ? await measureDaily(server, runInWorker, index, files.dailyPath, newMark(known)) : null
    await server.stop()
    return {
      build,
      segment,
      file: files.annual,
      read,
      import: imported,
      quarter: { ...quarter, records: files.quarter.records },
      open: { ...open, ...open.spent },
      rssOpenBytes,
      latencies,
      mixed,
      rssBytes,
      daily,
      peer: plan.peer === 0 ? null : await measurePeer(runInWorker, folder, plan, showProgress),
    }
  } finally {
    remove()
    process.off('exit', remove)
  }
}

type RunInWorker = <Result>(task: Task) => Promise<Result>

async function measureSegment(
  runInWorker: RunInWorker,
  path: string,
  { seed, size }: Plan,
  showProgress: (what: string) => void,
) {
  const records = Math.min(size, MAX_SEGMENT_RECORDS)
  showProgress(`building a segment of ${records} records`)
  const { cpuMs } = await runInWorker<{ cpuMs: number }>({ task: 'build segment', path, seed, size: records })
  rmSync(path)
  return { size: records, cpuMs }
}

async function measureDaily(server: Child, runInWorker: RunInWorker, folder: string, file: string, mark: string) {
  const visible = runTask<{ spent: Spent }>(server, { task: 'wait for', mark })
  const { spent } = await runInWorker<{ spent: Spent }>({ task: 'import', folder, files: [file] })
  return { visibleMs: (await visible).spent.wallMs, import: spent }
}

async function measurePeer(runInWorker: RunInWorker, folder: string, plan: Plan, showProgress: (what: string) => void) {
  const path = join(folder, 'peer.sqlite')
  const register = { seed: plan.seed, size: plan.peer }
  showProgress(`building SQLite with ${plan.peer} records`)
  const build = await runInWorker<Built>({ task: 'build peer', path, ...register })
  showProgress('queries to SQLite')
  const half = { first: Math.ceil(plan.queries.first / 2), warm: Math.ceil(plan.queries.warm / 2) }
  const latencies = await runInWorker<Latencies>({ task: 'query peer', path, plan: half, ...register })
  return { size: plan.peer, build, bytes: statSync(path).size, latencies }
}
