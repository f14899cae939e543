import { systemClock, type Clock } from '../../kernel/clock.ts'
import type { Output } from '../../surfaces/cli/output.ts'
import { fileSource } from '../../trademark/engine/build/file-source.ts'
import { filterSource, type RecordFilter } from '../../trademark/engine/build/record-filter.ts'
import { BusyError } from '../../trademark/engine/build/lock.ts'
import { mergeSegments } from '../../trademark/engine/build/merge.ts'
import { ingest, type IngestResult } from '../../trademark/engine/build/ingest.ts'
import type { Progress } from '../../trademark/engine/build/options.ts'
import type { Config } from '../settings/config.ts'
import { createProgressBar, formatDuration } from './progress-bar.ts'

type Needs = {
  readonly config: Pick<Config, 'trademarkIndex'>
  /** For progress and results. */
  readonly output: Output
  readonly signal: AbortSignal
  readonly clock?: Clock
  /** Keeps only a part of the records. */
  readonly filter?: RecordFilter
}

export const IMPORT_HELP = `Usage: onoma trademark import FILE…

Imports files of the register (zip or XML, annual or daily) into the trademark index. Of two versions of a record the later
one wins, so files can be imported in any order; files that were imported before are skipped. A damaged file changes
nothing.

The command can be stopped at any time, even by a crash: finished files stay imported, and the same command continues with
the next. A running service searches the new records as soon as they are indexed.

ONOMA_TRADEMARK_INDEX is the folder of the index.
`

export const MERGE_HELP = `Usage: onoma trademark merge

Merges the segments of the trademark index and removes outdated versions of records. Search results do not change. An
import merges at its end; use this command if that was interrupted.

ONOMA_TRADEMARK_INDEX is the folder of the index.
`

/** Imports each file completely or not at all. False if one failed; the others are still imported. */
export async function importTrademarks(files: readonly string[], needs: Needs): Promise<boolean> {
  const { config, output, signal, clock = systemClock, filter = {} } = needs
  const bar = createProgressBar(output, clock)
  const onProgress = (progress: Progress) => bar.show(stepOf(progress, clock.monotonic() - began))
  const began = clock.monotonic()
  let isComplete = true
  let hasIndex = false
  const onResult = (result: IngestResult) => {
    if (result.result === 'refused') isComplete = false
    bar.say(formatResult(result))
  }
  const work = { clock, signal, onProgress }
  const sources = files.map((file) => filterSource(fileSource(file, signal), filter))
  const isDone = await reportFailure(
    bar,
    signal,
    'run the same command again to continue with the next file',
    async () => {
      const manifest = await ingest(config.trademarkIndex, sources, { ...work, onResult })
      hasIndex = manifest !== null
      const count = manifest?.documents.toLocaleString('en')
      if (count) bar.say(`The index has ${count} records, after ${formatDuration(clock.monotonic() - began)}.`)
    },
  )
  return isDone && (!hasIndex || (await mergeWith(bar, needs))) && isComplete
}

/** False if it failed. */
export const mergeTrademarks = (needs: Needs): Promise<boolean> =>
  mergeWith(createProgressBar(needs.output, needs.clock ?? systemClock), needs)

function mergeWith(bar: Bar, { config, signal, clock = systemClock }: Needs): Promise<boolean> {
  const began = clock.monotonic()
  const onProgress = (progress: Progress) => bar.show(stepOf(progress, clock.monotonic() - began))
  const next = 'all records can be searched; the next import or onoma trademark merge finishes the merge'
  return reportFailure(bar, signal, next, async () => {
    const manifest = await mergeSegments(config.trademarkIndex, { clock, signal, onProgress })
    const count = manifest?.segments.length ?? 0
    bar.say(count === 0 ? 'There is no index to merge.' : `The index has ${count} segment${count === 1 ? '' : 's'}.`)
  })
}

type Bar = ReturnType<typeof createProgressBar>

/** Runs it and reports an interruption or a busy index; other errors are thrown. */
async function reportFailure(
  bar: Bar,
  signal: AbortSignal,
  next: string,
  run: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (signal.aborted) bar.say(`Stopped: ${next}.`)
    else if (error instanceof BusyError) bar.say(error.message)
    else throw error
    return false
  } finally {
    bar.clear()
  }
}

function stepOf({ phase, name, done, total, records }: Progress, ms: number) {
  const count = phase === 'reading' ? records : done
  const rate = Math.round((count * 1000) / Math.max(1, ms))
  const recordCount = `${count.toLocaleString('en')} records`
  const detail = phase === 'reading' ? `${recordCount} (${rate.toLocaleString('en')}/s)` : recordCount
  return { label: phase, done, total, detail: name === '' ? detail : `${name}, ${detail}` }
}

function formatResult(result: IngestResult): string {
  switch (result.result) {
    case 'refused':
      return `${result.name}: not imported. ${result.reason}`
    case 'known already':
      return `${result.name}: already imported.`
    case 'taken in': {
      const [records, sparse, changed] = [result.records, result.sparse, result.changed].map((one) =>
        one.toLocaleString('en'),
      )
      return `${result.name}: ${records} records, ${sparse} of them sparse; ${changed} new or newer.`
    }
  }
}
