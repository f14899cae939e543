import { systemClock, type Clock } from '../../kernel/clock.ts'
import type { Output } from '../../surfaces/cli/output.ts'
import { fileSource } from '../../trademark/engine/build/file-source.ts'
import { BusyError } from '../../trademark/engine/build/lock.ts'
import { mergeSegments } from '../../trademark/engine/build/merge.ts'
import { ingest, type IngestResult } from '../../trademark/engine/build/ingest.ts'
import type { Progress } from '../../trademark/engine/build/options.ts'
import type { Config } from '../settings/config.ts'
import { createProgressBar, durationOf } from './progress-bar.ts'

type Needs = {
  readonly config: Pick<Config, 'trademarkIndex'>
  /** Where the person at the terminal reads how it goes. */
  readonly output: Output
  readonly signal: AbortSignal
  readonly clock?: Clock
}

export const IMPORT_HELP = `Usage: onoma trademark import FILE…

Takes files of the register (zip or XML, annual or daily) into the trademark index, and makes them searchable. Of two
versions of a record the later holds, so files may come in any order and more than once; what was taken in already is
passed over. A file that is damaged changes nothing.

It may be stopped at any time, by Ctrl-C or worse: every file that was done stays done, and the same command continues
with the next. A running service goes on searching what it has, and has the new records as soon as they are indexed.

ONOMA_TRADEMARK_INDEX names the folder of the index.
`

export const MERGE_HELP = `Usage: onoma trademark merge

Tidies the trademark index: many small parts become few, and versions of records that are no longer needed are removed.
No answer changes by it. An import does this at its end; where that was stopped, this makes up for it.

ONOMA_TRADEMARK_INDEX names the folder of the index.
`

/** Each file is taken in whole or not at all. False where one was not; the others are taken in all the same. */
export async function importTrademarks(files: readonly string[], needs: Needs): Promise<boolean> {
  const { config, output, signal, clock = systemClock } = needs
  const bar = createProgressBar(output, clock)
  const onProgress = (progress: Progress) => bar.show(stepOf(progress, clock.monotonic() - began))
  const began = clock.monotonic()
  let isWhole = true
  let hasIndex = false
  const onResult = (told: IngestResult) => {
    if (told.result === 'refused') isWhole = false
    bar.say(sentenceOf(told))
  }
  const work = { clock, signal, onProgress }
  const intakes = files.map((file) => fileSource(file, signal))
  const isDone = await ending(bar, signal, 'the same command continues with the next file', async () => {
    const manifest = await ingest(config.trademarkIndex, intakes, { ...work, onResult })
    hasIndex = manifest !== null
    const count = manifest?.documents.toLocaleString('en')
    if (count) bar.say(`The index has ${count} records, after ${durationOf(clock.monotonic() - began)}.`)
  })
  return isDone && (!hasIndex || (await mergeWith(bar, needs))) && isWhole
}

/** False where it could not be done. */
export const mergeTrademarks = (needs: Needs): Promise<boolean> =>
  mergeWith(createProgressBar(needs.output, needs.clock ?? systemClock), needs)

function mergeWith(bar: Bar, { config, signal, clock = systemClock }: Needs): Promise<boolean> {
  const began = clock.monotonic()
  const onProgress = (progress: Progress) => bar.show(stepOf(progress, clock.monotonic() - began))
  const then = 'all records can be searched, and the next import or onoma trademark merge tidies up'
  return ending(bar, signal, then, async () => {
    const manifest = await mergeSegments(config.trademarkIndex, { clock, signal, onProgress })
    const parts = manifest?.segments.length ?? 0
    bar.say(
      parts === 0 ? 'There is no index to tidy.' : `The index is tidy, in ${parts} part${parts === 1 ? '' : 's'}.`,
    )
  })
}

type Bar = ReturnType<typeof createProgressBar>

/** Runs it, and tells a person how it ended where that is not a fault of ours. */
async function ending(bar: Bar, signal: AbortSignal, then: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (signal.aborted) bar.say(`Stopped: ${then}.`)
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
  const more = `${count.toLocaleString('en')} records`
  const pace = phase === 'reading' ? `${more} (${rate.toLocaleString('en')}/s)` : more
  return { words: phase, done, total, more: name === '' ? pace : `${name}, ${pace}` }
}

function sentenceOf(told: IngestResult): string {
  switch (told.result) {
    case 'refused':
      return `${told.name}: not taken in. ${told.reason}`
    case 'known already':
      return `${told.name}: was taken in before.`
    case 'taken in': {
      const [records, sparse, changed] = [told.records, told.sparse, told.changed].map((one) =>
        one.toLocaleString('en'),
      )
      return `${told.name}: ${records} records, ${sparse} of them sparse; ${changed} new or newer.`
    }
  }
}
