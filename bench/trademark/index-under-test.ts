/** How the benches and the scoring build and open an index, in one place. */
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
 * Ingests records into the index of a folder, as the sandbox does; a record replaces the one with its serial number. A
 * source name that was already ingested is skipped.
 */
export const ingestRecords = (folder: string, name: string, records: Iterable<TrademarkRecord>): Promise<void> =>
  ingestAll(folder, [recordsSource(name, records)])

/** The number of live records in the index of a folder; null if there is no index. */
export const countDocuments = (folder: string): number | null => readManifest(folder)?.documents ?? null

/** Writes one segment of these records to a file. `around` runs each step of the work, so that it can be timed. */
export function buildSegment(
  path: string,
  records: Iterable<TrademarkRecord>,
  around: (work: () => void) => void,
): void {
  const builder = createSegmentWriter()
  let id = 0
  let batch: TrademarkRecord[] = []
  const add = () => {
    for (const record of batch) builder.add(record, ++id)
    batch = []
  }
  for (const record of records) if (batch.push(record) === BATCH_RECORDS) around(add)
  around(add)
  around(() => builder.write(path))
}

/** Records per timed step. */
const BATCH_RECORDS = 10_000

/** Imports register files, as `onoma trademark import` does. */
export const importFiles = (folder: string, files: readonly string[]): Promise<void> =>
  ingestAll(
    folder,
    files.map((file) => fileSource(file)),
  )

async function ingestAll(folder: string, sources: readonly IngestSource[]): Promise<void> {
  await ingest(folder, sources, {
    clock: systemClock,
    onResult(result) {
      if (result.result === 'refused') throw new Error(`${result.name} was not ingested: ${result.reason}`)
    },
  })
}

/** The source name of an invented register. */
export const registerName = ({ seed, size }: { readonly seed: number; readonly size: number }) =>
  `${size} records of the invented register ${seed}`
