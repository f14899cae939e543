import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IndexInfo } from '../../src/trademark/search-index.ts'
import type { Child, Children } from '../children.ts'
import type { AskPlan, Latencies, Mixed } from './asking.ts'
import { arrivalOf, readThrough, type Files } from './files.ts'
import { documentsIn } from './index-under-test.ts'
import type { Built, Task, Told } from './process.ts'
import type { Spent } from './usage.ts'

export type Plan = {
  readonly seed: number
  readonly size: number
  /** A folder with an index of that size, or one where it shall be left. */
  readonly index: string | undefined
  /** A daily file is imported into that one, too. */
  readonly changesIndex?: boolean
  readonly threads: number
  /** Records of the file that is imported, and of the daily one. */
  readonly annual: number
  readonly daily: number
  readonly ask: AskPlan
  readonly mixedSeconds: number
  /** Records given to the peer; 0 leaves it out. */
  readonly peer: number
}

export type Outcome = {
  /** Null where the index was there already. */
  readonly build: Built | null
  /** The index alone, of so many records that are at hand; null as above. */
  readonly segment: { readonly size: number; readonly cpuMs: number } | null
  readonly file: Files['annual']
  readonly read: Spent
  readonly import: Spent
  readonly open: Spent & IndexInfo
  readonly rssOpenBytes: number
  readonly latencies: Latencies
  readonly mixed: Mixed
  readonly rssBytes: number
  /** From the start of the import until a running service finds what is new; null where the index is to stay as it is. */
  readonly daily: { readonly visibleMs: number; readonly import: Spent } | null
  readonly peer: {
    readonly size: number
    readonly build: Built
    readonly bytes: number
    readonly latencies: Latencies
  } | null
}

const PROCESS = new URL('process.ts', import.meta.url)
/** Records of which a segment is built alone. */
const LARGEST_SEGMENT = 1_000_000
const MAX_MS = 4 * 60 * 60_000

async function tell<Result>(child: Child, task: Task): Promise<Result> {
  const told = await child.ask<Told>(task, MAX_MS)
  if ('error' in told) throw new Error(`${task.task}: ${told.error}`)
  return told.result as Result
}

/** Every part in a process of its own, so that none is slowed down or fed by what another left behind. */
export async function measureTrademark(children: Children, plan: Plan, say: (what: string) => void): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-trademark-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const alone = async <Result>(task: Task): Promise<Result> => {
    const child = children.start(PROCESS)
    try {
      return await tell<Result>(child, task)
    } finally {
      await child.stop()
    }
  }
  const { seed, size } = plan
  const index = plan.index ?? join(folder, 'index')
  const isThere = documentsIn(index) !== null
  try {
    say(`building the index of ${size} records`)
    const build = isThere ? null : await alone<Built>({ task: 'build', path: index, seed, size })
    const segment = isThere ? null : await measureSegment(alone, join(folder, 'segment'), plan, say)
    const known = documentsIn(index) ?? size
    say('writing files of the register')
    const files = await alone<Files>({
      task: 'write files',
      folder,
      seed,
      size,
      known,
      annual: plan.annual,
      daily: plan.daily,
    })
    say('reading and importing them')
    const { spent: read } = await alone<{ spent: Spent }>({ task: 'read file', path: files.annualPath })
    const imported = await alone<{ spent: Spent }>({
      task: 'import',
      folder: join(folder, 'imported'),
      files: [files.annualPath],
    })
    say('reading the files of the index once')
    await readThrough(index)
    say('asking')
    const server = children.start(PROCESS)
    const open = await tell<{ spent: Spent } & IndexInfo>(server, {
      task: 'open',
      folder: index,
      threads: plan.threads,
    })
    if (open.documents < size) throw new Error(`The index has ${open.documents} records and not ${size}.`)
    const { rssBytes: rssOpenBytes } = await server.usage()
    const latencies = await tell<Latencies>(server, { task: 'ask', seed, size, plan: plan.ask })
    const atOnce = plan.threads * 2
    const mixed = await tell<Mixed>(server, { task: 'ask mixed', seed, size, seconds: plan.mixedSeconds, atOnce })
    const { rssBytes } = await server.usage()
    const isDaily = plan.index === undefined || plan.changesIndex === true
    if (isDaily) say('importing a daily file')
    const daily = isDaily ? await measureDaily(server, alone, index, files.dailyPath, arrivalOf(known)) : null
    await server.stop()
    return {
      build,
      segment,
      file: files.annual,
      read,
      import: imported.spent,
      open: { ...open, ...open.spent },
      rssOpenBytes,
      latencies,
      mixed,
      rssBytes,
      daily,
      peer: plan.peer === 0 ? null : await measurePeer(alone, folder, plan, say),
    }
  } finally {
    remove()
    process.off('exit', remove)
  }
}

type Alone = <Result>(task: Task) => Promise<Result>

async function measureSegment(alone: Alone, path: string, { seed, size }: Plan, say: (what: string) => void) {
  const some = Math.min(size, LARGEST_SEGMENT)
  say(`building a segment of ${some} records`)
  const { cpuMs } = await alone<{ cpuMs: number }>({ task: 'build segment', path, seed, size: some })
  rmSync(path)
  return { size: some, cpuMs }
}

async function measureDaily(server: Child, alone: Alone, folder: string, file: string, mark: string) {
  const seen = tell<{ spent: Spent }>(server, { task: 'wait for', mark })
  const { spent } = await alone<{ spent: Spent }>({ task: 'import', folder, files: [file] })
  return { visibleMs: (await seen).spent.wallMs, import: spent }
}

async function measurePeer(alone: Alone, folder: string, plan: Plan, say: (what: string) => void) {
  const path = join(folder, 'peer.sqlite')
  const register = { seed: plan.seed, size: plan.peer }
  say(`giving ${plan.peer} records to SQLite`)
  const build = await alone<Built>({ task: 'build peer', path, ...register })
  say('asking SQLite')
  const few = { first: Math.ceil(plan.ask.first / 2), warm: Math.ceil(plan.ask.warm / 2) }
  const latencies = await alone<Latencies>({ task: 'ask peer', path, plan: few, ...register })
  return { size: plan.peer, build, bytes: statSync(path).size, latencies }
}
