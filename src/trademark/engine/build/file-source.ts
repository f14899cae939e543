import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import type { TrademarkRecord } from '../../record.ts'
import type { IngestSource } from './ingest-file.ts'
import { hashFile, readRecords } from './file-reader.ts'

/** A file of the register. A missing file is reported when it is read. */
export function fileSource(path: string, signal?: AbortSignal): IngestSource {
  const state = () => statSync(path, { throwIfNoEntry: false })
  const before = state()
  return {
    name: basename(path),
    bytes: before?.size ?? 0,
    sha256: () => hashFile(path, signal),
    async *records(onBytes) {
      yield* readRecords(path, before?.size ?? 0, { onProgress: onBytes, ...(signal && { signal }) })
      const now = state()
      if (now?.size !== before?.size || now?.mtimeMs !== before?.mtimeMs)
        throw new RegisterError('the file changed while it was read')
    },
  }
}

/** Records from memory, for tests and the sandbox. */
export const recordsSource = (name: string, records: Iterable<TrademarkRecord>): IngestSource => ({
  name,
  bytes: 0,
  sha256: async () => createHash('sha256').update(`records ${name}`).digest('hex'),
  records: () => records,
})

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission to read it is denied',
  EPERM: 'permission to read it is denied',
  EISDIR: 'it is a folder, not a file',
}

/** Why a file is refused; null if the error is not the file's fault. */
export function refusalReason(error: unknown): string | null {
  if (error instanceof RegisterError) return error.message
  return error instanceof Error && 'code' in error ? (REASONS[String(error.code)] ?? null) : null
}
