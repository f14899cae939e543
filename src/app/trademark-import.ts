import { systemClock } from '../kernel/clock.ts'
import { isSparse } from '../trademark/import/extract.ts'
import { readRegister } from '../trademark/import/read-register.ts'
import { RegisterError } from '../trademark/import/register-error.ts'
import type { TrademarkRecord } from '../trademark/record.ts'
import { buildFts5 } from '../trademark/sources/fts5-index.ts'
import type { Config } from './config.ts'

type Needs = {
  readonly config: Pick<Config, 'trademarkIndex'>
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export const IMPORT_HELP = `Usage: onoma trademark import FILE…

Takes files of the register (zip or XML, annual or daily) into the trademark index. Of two versions of a record the later
holds, so files may come in any order and more than once. A file that is damaged changes nothing.

ONOMA_TRADEMARK_INDEX names the folder of the index; a running service sees what was imported at its next question.
`

/** Each file is taken in whole or not at all. False where one was not; the others are taken in all the same. */
export async function importTrademarks(files: readonly string[], { config, say, signal }: Needs): Promise<boolean> {
  let isWhole = true
  for (const file of files) {
    const counts = { records: 0, left: 0 }
    try {
      const { documents } = await buildFts5(config.trademarkIndex, recordsOf(file, counts, { say, signal }), {
        clock: systemClock,
        signal,
      })
      say(`${file}: ${counts.records} records, ${counts.left} too sparse to take; the index has ${documents}.`)
    } catch (error) {
      if (signal.aborted || !isKnown(error)) throw error
      say(`${file}: not taken in. ${error.message}`)
      isWhole = false
    }
  }
  return isWhole
}

const isKnown = (error: unknown): error is Error =>
  error instanceof RegisterError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')

async function* recordsOf(
  file: string,
  counts: { records: number; left: number },
  { say, signal }: Pick<Needs, 'say' | 'signal'>,
): AsyncIterable<TrademarkRecord> {
  const tell = progress(file, say)
  for await (const record of readRegister(file, { onProgress: tell, signal })) {
    // A sparse record must not take the place of a good one, and whether there is one only the index knows.
    if (isSparse(record)) counts.left++
    else {
      counts.records++
      yield record
    }
  }
}

const STEP_MS = 2_000

/** How far it is and how long it will take at the pace so far, every few seconds. */
function progress(file: string, say: (line: string) => void): (done: number, total: number) => void {
  const began = systemClock.monotonic()
  let last = began
  return (done, total) => {
    const now = systemClock.monotonic()
    if (now - last < STEP_MS || done === 0) return
    last = now
    const left = Math.round(((now - began) * (total - done)) / done / 1000)
    say(`${file}: ${Math.floor((100 * done) / total)} %, about ${left} s to go`)
  }
}
