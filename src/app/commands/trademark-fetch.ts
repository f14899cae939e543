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
import { createProgressBar, durationOf } from './progress-bar.ts'
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
  /** What `onoma trademark import` does. False where a file was refused. */
  readonly importFiles: (files: readonly string[]) => Promise<boolean>
  readonly clock?: Clock
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly freeBytes?: (folder: string) => number
}

/** True where everything is there that should be, and taken in where that was asked for. */
export async function fetchTrademarks(options: FetchOptions, needs: Needs): Promise<boolean> {
  const { config, output, signal } = needs
  const { clock = systemClock, wait = realWait } = needs
  const { url, key } = config.trademarkOffice
  const bar = createProgressBar(output, clock)
  if (key === null) {
    bar.say('ONOMA_TRADEMARK_OFFICE_KEY is not set: the Office gives files only to those who have a key.')
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
    const ask = (kind: Kind) => listFiles(kind, { upstream, url, key }, signal)
    const offered = [...(options.annual ? await ask('annual') : []), ...(await ask('daily'))]
    const { here, missing, isThere } = await alone(folder, async () => {
      const [lying, imported] = [filesHere(folder), importedFiles(config.trademarkIndex)]
      const plan = planFetch({ offered, here: lying, imported, since: options.since })
      for (const line of linesOf(plan)) bar.say(line)
      const wanted = plan.files.filter(({ isHere }) => !isHere)
      const room = (needs.freeBytes ?? freeBytes)(folder)
      const isRoom = sizeOf(wanted) <= room
      if (!isRoom) bar.say(`There are ${sizeInWords(room)} free in ${folder}: too little.`)
      const refused = isRoom && !options.dryRun ? await fetchAll(wanted, work, bar) : wanted
      const names = plan.files.map(({ name }) => name).filter((name) => !refused.some((file) => file.name === name))
      return { here: names.map((name) => join(folder, name)), missing: refused, isThere: isRoom }
    })
    if (options.dryRun || !isThere) return isThere
    if (here.length > 0 && options.import) return (await needs.importFiles(here)) && missing.length === 0
    if (here.length > 0)
      bar.say(`Take in with: onoma trademark import ${here.length > 3 ? join(folder, '*.zip') : here.join(' ')}`)
    return missing.length === 0
  } catch (error) {
    const sentence = sentenceOf(error, signal)
    if (sentence === null) throw error
    bar.say(sentence)
    return false
  } finally {
    bar.clear()
    await Promise.all([upstream.close(), downloader.close()])
  }
}

/** Two at once would write the same files. */
async function alone<T>(folder: string, run: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true })
  const unlock = lockIndex(folder)
  try {
    return await run()
  } finally {
    unlock()
  }
}

type Bar = ReturnType<typeof createProgressBar>

/** Those that came and were not kept. */
async function fetchAll(
  files: readonly OfficeFile[],
  fetching: Omit<Parameters<typeof createFetch>[0], 'onBytes' | 'onPause'>,
  bar: Bar,
): Promise<OfficeFile[]> {
  const total = sizeOf(files)
  let before = 0
  const refused: OfficeFile[] = []
  const fetchOne = createFetch({
    ...fetching,
    onBytes: ({ name }, done) =>
      bar.show({ words: 'fetching', done: before + done, total, more: `${name}, ${sizeInWords(before + done)}` }),
    onPause: (ms, why) => bar.say(`${why}; the next try is in ${durationOf(ms)}.`),
  })
  for (const file of files) {
    const outcome = await fetchOne(file)
    if (outcome) {
      bar.say(`${file.name}: not kept. ${outcome.refused}.`)
      refused.push(file)
    }
    before += file.bytes ?? 0
  }
  if (files.length > 0) bar.say(`${counted(files.length - refused.length)} fetched.`)
  return refused
}

function linesOf({ files, imported }: Plan): string[] {
  const missing = files.filter(({ isHere }) => !isHere)
  const span = missing.length === 0 ? '' : `, ${missing[0]!.name} to ${missing.at(-1)!.name}`
  return [
    missing.length === 0
      ? 'There is nothing new to fetch.'
      : `${counted(missing.length)} to fetch, ${sizeInWords(sizeOf(missing))}${span}.`,
    ...(missing.length < files.length ? [`${counted(files.length - missing.length)} in the folder already.`] : []),
    ...(imported > 0 ? [`${counted(imported)} taken in before.`] : []),
  ]
}

const counted = (files: number): string => `${files.toLocaleString('en')} ${files === 1 ? 'file' : 'files'}`
const sizeOf = (files: readonly OfficeFile[]): number => files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
const sizeInWords = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB` : `${(bytes / 1e9).toFixed(1)} GB`

const AGAIN = 'what is there stays, and the same command continues'

/** How it ended, where that is no fault of ours. */
function sentenceOf(error: unknown, signal: AbortSignal): string | null {
  if (signal.aborted) return `Stopped: ${AGAIN}.`
  if (error instanceof BusyError) return 'Another fetch is at work in this folder; try again when it has ended.'
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return `The disk is full; ${AGAIN}.`
  if (!(error instanceof UpstreamError)) return null
  if (error.failure === 'auth_error') return `${error.message}: the Office does not accept ONOMA_TRADEMARK_OFFICE_KEY.`
  const pause = error.retryAfterMs === undefined ? '' : ` It asks for a pause of ${durationOf(error.retryAfterMs)}.`
  return `${error.message}.${pause} Later, ${AGAIN.replace('what is there stays, and ', '')}.`
}
