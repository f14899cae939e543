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
import { importedFiles } from '../../trademark/engine/format/records/imported-files.ts'
import type { Config } from '../settings/config.ts'
import { createOutbound, PROVIDERS, USER_AGENT } from '../wiring/outbound.ts'
import { createProgressBar, formatDuration } from './progress-bar.ts'
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
  readonly importFiles: (files: readonly string[]) => Promise<boolean>
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
    bar.say(
      'ONOMA_TRADEMARK_OFFICE_KEY is not set: downloads from the Office need a key, free at https://data.uspto.gov.',
    )
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
    const { here, missing, hasSpace } = await withLock(folder, async () => {
      const [lying, imported] = [filesHere(folder), importedFiles(config.trademarkIndex)]
      const plan = planFetch({ offered, here: lying, imported, since: options.since })
      for (const line of formatPlan(plan)) bar.say(line)
      const wanted = plan.files.filter(({ isHere }) => !isHere)
      const free = (needs.freeBytes ?? freeBytes)(folder)
      const hasSpace = sizeOf(wanted) <= free
      if (!hasSpace) bar.say(`Only ${formatSize(free)} free in ${folder}, which is not enough.`)
      const failed = hasSpace && !options.dryRun ? await fetchAll(wanted, work, bar) : wanted
      const names = plan.files.map(({ name }) => name).filter((name) => !failed.some((file) => file.name === name))
      return { here: names.map((name) => join(folder, name)), missing: failed, hasSpace }
    })
    if (options.dryRun || !hasSpace) return hasSpace
    if (here.length > 0 && options.import) return (await needs.importFiles(here)) && missing.length === 0
    if (here.length > 0)
      bar.say(`Import with: onoma trademark import ${here.length > 3 ? join(folder, '*.zip') : here.join(' ')}`)
    return missing.length === 0
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
const sizeOf = (files: readonly OfficeFile[]): number => files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
const formatSize = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB` : `${(bytes / 1e9).toFixed(1)} GB`

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
