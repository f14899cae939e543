import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock, type Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createDownloader } from '../../kernel/upstream/download.ts'
import type { Output } from '../../surfaces/cli/output.ts'
import { createFetch } from '../../trademark/sources/office/fetch-files.ts'
import { filesHere, freeBytes } from '../../trademark/sources/office/folder.ts'
import { listFiles, type Kind, type OfficeFile } from '../../trademark/sources/office/listing.ts'
import { planFetch, type Plan } from '../../trademark/sources/office/plan.ts'
import { BusyError, lockIndex } from '../../trademark/engine/build/lock.ts'
import { describeFilter, type RecordFilter, splitName } from '../../trademark/engine/build/record-filter.ts'
import { type ImportedFile, importedFiles } from '../../trademark/engine/format/records/imported-files.ts'
import type { Config } from '../settings/config.ts'
import { createOutbound, PROVIDERS, USER_AGENT } from '../wiring/outbound.ts'
import { createProgressBar, formatDuration } from './progress-bar.ts'
import { estimateNeeds, formatNeeds, formatSize, NEEDS_WITHOUT_KEY, sizeOf } from './trademark-fetch-needs.ts'
import type { FetchOptions } from './trademark-fetch-options.ts'
import { sleep as realWait } from '../../kernel/sleep.ts'

export type FetchConfig = {
  readonly trademarkIndex: string
  readonly trademarkOffice: { readonly url: string; readonly key: string | null }
} & Pick<Config, 'sandbox' | 'namedHosts'>

type Needs = {
  readonly config: FetchConfig
  readonly output: Output
  readonly signal: AbortSignal
  /** Does what `onoma trademark import` does. False if a file was rejected. */
  readonly importFiles: (files: readonly string[], filter: RecordFilter) => Promise<boolean>
  readonly clock?: Clock
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly freeBytes?: (folder: string) => number
}

/** True if all files were downloaded and, with --import, imported. */
export async function fetchTrademarks(options: FetchOptions, needs: Needs): Promise<boolean> {
  const { config, output, signal } = needs
  const { clock = systemClock, wait = realWait } = needs
  const { url, key } = config.trademarkOffice
  const bar = createProgressBar(output, clock)
  if (key === null) {
    for (const line of NEEDS_WITHOUT_KEY) bar.say(line)
    return false
  }
  const folder = options.folder ?? join(config.trademarkIndex, 'files')
  // A refused address ends the command with a message, so it is not logged as well.
  const outbound = createOutbound({ config, clock, log: { warn() {} } })
  const upstream = outbound.open('trademark office')
  const policy = outbound.addressPolicy(PROVIDERS['trademark office'].settings)
  const downloader = createDownloader({ userAgent: USER_AGENT, clock, ...policy })
  const work = { folder, key, download: downloader.download, clock, wait, signal }
  try {
    const list = (kind: Kind) => listFiles(kind, { upstream, url, key }, signal)
    const offered = [...(options.annual ? await list('annual') : []), ...(await list('daily'))]
    const filter = filterOf(options, clock)
    const known = importedFiles(config.trademarkIndex)
    const register = registerOf(offered)
    const hasAll = () => hasEnded(importedFiles(config.trademarkIndex), register, filter)
    const planned = planFetch({
      offered,
      here: filesHere(folder),
      imported: importedWith(known, filter),
      since: options.since,
      newestFirst: options.years !== undefined,
    })
    const plan = hasAll() ? { ...planned, files: planned.files.filter(({ kind }) => kind === 'daily') } : planned
    const task = { files: plan.files, years: options.years, imports: options.import }
    for (const line of [...formatPlan(plan), ...formatNeeds(task), ...noteOn(known, filter)]) bar.say(line)
    const free = (needs.freeBytes ?? freeBytes)(folder)
    const hasSpace = estimateNeeds(task).diskBytes <= free
    if (!hasSpace) bar.say(`Only ${formatSize(free)} free in ${folder}, which is not enough.`)
    if (options.dryRun || !hasSpace) return hasSpace
    return await fetchInBatches(plan.files, { ...needs, options, filter, hasAll, folder, work, bar })
  } catch (error) {
    const message = explainFailure(error, signal)
    if (message === null) throw error
    bar.say(message)
    return false
  } finally {
    bar.clear()
    await Promise.all([upstream.close(), downloader.close()])
  }
}

type PlannedFile = Plan['files'][number]

type BatchNeeds = Pick<Needs, 'importFiles'> & {
  readonly options: FetchOptions
  readonly filter: RecordFilter
  /** Whether the rest of the register has no record that passes. */
  readonly hasAll: () => boolean
  readonly folder: string
  readonly work: Omit<Parameters<typeof createFetch>[0], 'onBytes' | 'onPause'>
  readonly bar: Bar
}

/** Each batch of a register is imported before the next is fetched, so that the first can be searched soon. */
async function fetchInBatches(files: readonly PlannedFile[], needs: BatchNeeds): Promise<boolean> {
  const { options, filter, folder, work, bar } = needs
  let isComplete = true
  let skipsAnnual = false
  const here: string[] = []
  for (const batch of options.import
    ? batchesOf(files, options.years === undefined ? MAX_BATCH_FILES : MAX_BATCH_FILES_OF_YEARS)
    : [files]) {
    const wanted = batch.filter(({ kind }) => kind === 'daily' || !skipsAnnual)
    if (wanted.length === 0) continue
    const failed = await withLock(folder, () =>
      fetchAll(
        wanted.filter(({ isHere }) => !isHere),
        work,
        bar,
      ),
    )
    const paths = wanted.filter((file) => !failed.includes(file)).map(({ name }) => join(folder, name))
    here.push(...paths)
    isComplete &&= failed.length === 0
    if (!options.import) continue
    if (paths.length > 0) isComplete = (await needs.importFiles(paths, filter)) && isComplete
    work.signal.throwIfAborted()
    if (!skipsAnnual && needs.hasAll()) {
      skipsAnnual = true
      bar.say(`The last files had no marks ${describeFilter(filter)}: the older files of the register are left out.`)
    }
  }
  if (here.length > 0 && !options.import)
    bar.say(`Import with: onoma trademark import ${here.length > 3 ? join(folder, '*.zip') : here.join(' ')}`)
  return isComplete
}

const MAX_BATCH_FILES = 16
/** Where the last batch may be downloaded in vain. */
const MAX_BATCH_FILES_OF_YEARS = 4

/** Batches of 1, 2, 4 … files if a register is among them: an import of each file alone would merge too often. */
function batchesOf(files: readonly PlannedFile[], maxFiles: number): (readonly PlannedFile[])[] {
  if (!files.some(({ kind }) => kind === 'annual')) return [files]
  const batches: (readonly PlannedFile[])[] = []
  for (let at = 0, size = 1; at < files.length; at += size, size = Math.min(maxFiles, size * 2))
    batches.push(files.slice(at, at + size))
  return batches
}

const NOTHING_IN_A_ROW = 2

/** Names of the newest complete register, the last file first. */
function registerOf(offered: readonly OfficeFile[]): string[] {
  const annual = offered.filter(({ kind }) => kind === 'annual')
  const newest = annual
    .map(({ day }) => day)
    .toSorted()
    .at(-1)
  return annual
    .filter(({ day }) => day === newest)
    .map(({ name }) => name)
    .toReversed()
}

/** Whether the files of the register that were imported last have no record filed so late, after some that have. */
function hasEnded(known: readonly ImportedFile[], register: readonly string[], filter: RecordFilter): boolean {
  if (filter.filedSince === undefined) return false
  const records = new Map(
    known
      .filter(({ name }) => splitName(name).filter === describeFilter(filter))
      .map((file) => [splitName(file.name).file, file.records]),
  )
  const counts = register.flatMap((name) => records.get(name) ?? [])
  return counts.some((count) => count > 0) && counts.slice(-NOTHING_IN_A_ROW).every((count) => count === 0)
}

function filterOf({ years, classes }: FetchOptions, clock: Clock): RecordFilter {
  // Whole years: the same command must mean the same on another day, to continue.
  const first = years === undefined ? undefined : new Date(clock.now()).getUTCFullYear() - years
  return { ...(first !== undefined && { filedSince: first * 10_000 + 101 }), ...(classes && { classes }) }
}

/** The files whose records are all in the index, as far as they pass the filter, under their own names. */
const importedWith = (known: readonly ImportedFile[], filter: RecordFilter): ImportedFile[] =>
  known.flatMap((one) => {
    const { file, filter: used } = splitName(one.name)
    return used === '' || used === describeFilter(filter) ? [{ ...one, name: file }] : []
  })

/** Warns if this run would mix with an index that was filled by another choice. */
function noteOn(known: readonly ImportedFile[], filter: RecordFilter): string[] {
  const others = new Set(
    known.map(({ name }) => splitName(name).filter).filter((used) => used !== '' && used !== describeFilter(filter)),
  )
  if (others.size === 0) return []
  return [
    `The index has a part of the register (${[...others].join(', or ')}); this run adds ${describeFilter(filter) || 'all records'} of its files.`,
  ]
}

/** Two concurrent fetches would write the same files. */
async function withLock<T>(folder: string, run: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const unlock = lockIndex(folder)
  try {
    return await run()
  } finally {
    unlock()
  }
}

type Bar = ReturnType<typeof createProgressBar>

/** Returns the files that were downloaded and discarded. */
async function fetchAll(
  files: readonly OfficeFile[],
  fetching: Omit<Parameters<typeof createFetch>[0], 'onBytes' | 'onPause'>,
  bar: Bar,
): Promise<OfficeFile[]> {
  const total = sizeOf(files)
  let before = 0
  const discarded: OfficeFile[] = []
  const fetchOne = createFetch({
    ...fetching,
    onBytes: ({ name }, done) =>
      bar.show({ label: 'downloading', done: before + done, total, detail: `${name}, ${formatSize(before + done)}` }),
    onPause: (ms, why) => bar.say(`${why}; retrying in ${formatDuration(ms)}.`),
  })
  for (const file of files) {
    const outcome = await fetchOne(file)
    if (outcome) {
      bar.say(`${file.name}: discarded. ${outcome.refused}.`)
      discarded.push(file)
    }
    before += file.bytes ?? 0
  }
  if (files.length > 0) bar.say(`${countFiles(files.length - discarded.length)} downloaded.`)
  return discarded
}

function formatPlan({ files, imported }: Plan): string[] {
  const missing = files.filter(({ isHere }) => !isHere)
  const span = missing.length === 0 ? '' : `, ${missing[0]!.name} to ${missing.at(-1)!.name}`
  return [
    missing.length === 0
      ? 'Nothing new to download.'
      : `${countFiles(missing.length)} to download, ${formatSize(sizeOf(missing))}${span}.`,
    ...(missing.length < files.length ? [`${countFiles(files.length - missing.length)} already in the folder.`] : []),
    ...(imported > 0 ? [`${countFiles(imported)} already imported.`] : []),
  ]
}

const countFiles = (files: number): string => `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`

const RERUN = 'files already downloaded are kept; run the command again to continue'

/** Explains an expected failure; null for a bug. */
function explainFailure(error: unknown, signal: AbortSignal): string | null {
  if (signal.aborted) return `Stopped: ${RERUN}.`
  if (error instanceof BusyError) return 'Another fetch is running in this folder; try again when it has finished.'
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return `The disk is full: ${RERUN}.`
  if (!(error instanceof UpstreamError)) return null
  if (error.failure === 'auth_error') return `${error.message}: the Office does not accept ONOMA_TRADEMARK_OFFICE_KEY.`
  const wait = error.retryAfterMs === undefined ? '' : ` The Office asks to wait ${formatDuration(error.retryAfterMs)}.`
  return `${error.message}.${wait} Run the command again later to continue.`
}
