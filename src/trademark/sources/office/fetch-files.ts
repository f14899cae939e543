import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { renameFile, syncPath } from '../../../kernel/files.ts'
import type { Download } from '../../../kernel/upstream/download.ts'
import { isZip } from './folder.ts'
import { keyHeader, type OfficeFile } from './listing.ts'

export type Fetching = {
  readonly folder: string
  readonly key: string
  readonly download: Download
  readonly clock: Clock
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
  /** Bytes of the file so far. */
  readonly onBytes: (file: OfficeFile, done: number) => void
  /** Called before a retry pause. */
  readonly onPause: (ms: number, why: string) => void
}

/** The file was downloaded but does not match the listing. */
export type Refusal = { readonly refused: string }

/** The Office allows five downloads in ten seconds per address. */
const MIN_INTERVAL_MS = 2_500
/** The Office also limits the downloads of one file per year. */
const MAX_ATTEMPTS = 3
const BACKOFF_MS = 10_000
/** If the Office asks for a longer pause, give up. */
const MAX_BACKOFF_MS = 600_000
const IDLE_TIMEOUT_MS = 60_000
const MAX_FILE_BYTES = 8 * 1024 ** 3
/** Accepted beyond the announced size, so that the error can name the real size. */
const EXTRA_BYTES = 1024 * 1024

/**
 * Downloads files of the Office one at a time, rate-limited. A file gets its name only when it is complete; partial files
 * are removed. Throws UpstreamError if the Office fails, the system's error if the disk does, or the abort reason.
 */
export function createFetch(fetching: Fetching) {
  const { clock, wait, signal, folder } = fetching
  let next = -Infinity

  async function attempt(file: OfficeFile, draft: string): Promise<Refusal | null> {
    const early = next - clock.monotonic()
    if (early > 0) await wait(early, signal)
    next = clock.monotonic() + MIN_INTERVAL_MS
    await fetching.download({
      url: file.url,
      path: draft,
      headers: { ...keyHeader(fetching.key), accept: '*/*', 'accept-encoding': 'identity' },
      maxBytes: (file.bytes ?? MAX_FILE_BYTES) + EXTRA_BYTES,
      idleTimeoutMs: IDLE_TIMEOUT_MS,
      signal,
      onBytes: (done) => fetching.onBytes(file, done),
    })
    const refused = findFault(file, draft)
    if (refused !== null) return { refused }
    renameFile(draft, join(folder, file.name))
    syncPath(folder)
    return null
  }

  return async (file: OfficeFile): Promise<Refusal | null> => {
    const draft = join(folder, `${file.name}.part`)
    try {
      for (let attempts = 1; ; attempts++) {
        try {
          return await attempt(file, draft)
        } catch (error) {
          const pause = error instanceof UpstreamError ? backoffAfter(error, attempts) : null
          if (pause === null) throw error
          fetching.onPause(pause, (error as UpstreamError).message)
          await wait(pause, signal)
        }
      }
    } finally {
      rmSync(draft, { force: true })
    }
  }
}

/** Milliseconds before the next attempt; null to give up. */
function backoffAfter({ retryable, retryAfterMs }: UpstreamError, attempts: number): number | null {
  const pause = Math.max(retryAfterMs ?? 0, BACKOFF_MS * attempts)
  return retryable && attempts < MAX_ATTEMPTS && pause <= MAX_BACKOFF_MS ? pause : null
}

function findFault({ bytes }: OfficeFile, draft: string): string | null {
  if (!isZip(draft)) return 'the download is not a zip: the Office may no longer have this file'
  const { size } = statSync(draft)
  if (bytes !== null && size !== bytes) return `${size} bytes were downloaded, and the listing says ${bytes}`
  return null
}
