/** What is measured and scored, in one place: how an index is made, and how it is asked. */
import { systemClock } from '../../src/kernel/clock.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { openIndex } from '../../src/trademark/engine/open.ts'
import { readManifest } from '../../src/trademark/engine/manifest.ts'
import { fileSource, recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import type { IngestSource } from '../../src/trademark/engine/build/ingest-file.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'
import { createSegmentWriter } from '../../src/trademark/engine/format/segment-writer.ts'

export { openIndex }

/**
 * Takes records straight into the index of a folder, as the sandbox does; those of the same serial number are replaced.
 * What was taken in under the same name is known already.
 */
export const takeRecords = (folder: string, name: string, records: Iterable<TrademarkRecord>): Promise<void> =>
  take(folder, [recordsSource(name, records)])

/** How many live records the index of a folder has; null if there is no index. */
export const documentsIn = (folder: string): number | null => readManifest(folder)?.documents ?? null

/** A segment of these records and nothing else, put into a file; `around` is given each piece of the work. */
export function buildSegment(
  path: string,
  records: Iterable<TrademarkRecord>,
  around: (work: () => void) => void,
): void {
  const builder = createSegmentWriter()
  let id = 0
  let portion: TrademarkRecord[] = []
  const add = () => {
    for (const record of portion) builder.add(record, ++id)
    portion = []
  }
  for (const record of records) if (portion.push(record) === PORTION) around(add)
  around(add)
  around(() => builder.write(path))
}

/** Records generated between two readings of the clock. */
const PORTION = 10_000

/** Takes files of the register in, as `onoma trademark import` does. */
export const importFiles = (folder: string, files: readonly string[]): Promise<void> =>
  take(
    folder,
    files.map((file) => fileSource(file)),
  )

async function take(folder: string, intakes: readonly IngestSource[]): Promise<void> {
  await ingest(folder, intakes, {
    clock: systemClock,
    onResult(told) {
      if (told.result === 'refused') throw new Error(`${told.name} was not taken in: ${told.reason}`)
    },
  })
}

/** An invented register, so that it is taken in once. */
export const nameOf = ({ seed, size }: { readonly seed: number; readonly size: number }) =>
  `${size} records of the invented register ${seed}`
