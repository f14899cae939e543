import { renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../kernel/clock.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Download } from '../../../kernel/upstream/download.ts'
import { syncPath } from '../../engine/manifest.ts'
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
  /** Told before a pause that is longer than usual. */
  readonly onPause: (ms: number, why: string) => void
}

/** Why a file is not there: it came, and is not what the list told. */
export type Refusal = { readonly refused: string }

/** The Office lets five go in ten seconds from one address. */
const APART_MS = 2_500
/** It counts downloads of one file, too, and a year is long: few tries. */
const TRIES = 3
const PAUSE_MS = 10_000
/** Who asks for more wants us to come back another time. */
const MAX_PAUSE_MS = 600_000
const SILENCE_MS = 60_000
const MAX_FILE_BYTES = 8 * 1024 ** 3
/** What may come beyond the length in the list, so that it can be told that it is longer. */
const BEYOND = 1024 * 1024

/**
 * Fetches files of the Office, one at a time and not too fast. A file has its name only when it is whole; what was begun
 * goes away. Throws UpstreamError where the Office cannot be asked any more, the system's error where nothing can be
 * written, or the reason of the signal.
 */
export function createFetch(fetching: Fetching) {
  const { clock, wait, signal, folder } = fetching
  let next = -Infinity

  async function attempt(file: OfficeFile, draft: string): Promise<Refusal | null> {
    const early = next - clock.monotonic()
    if (early > 0) await wait(early, signal)
    next = clock.monotonic() + APART_MS
    await fetching.download({
      url: file.url,
      path: draft,
      headers: { ...keyHeader(fetching.key), accept: '*/*', 'accept-encoding': 'identity' },
      maxBytes: (file.bytes ?? MAX_FILE_BYTES) + BEYOND,
      idleTimeoutMs: SILENCE_MS,
      signal,
      onBytes: (done) => fetching.onBytes(file, done),
    })
    const refused = faultOf(file, draft)
    if (refused !== null) return { refused }
    renameSync(draft, join(folder, file.name))
    syncPath(folder)
    return null
  }

  return async (file: OfficeFile): Promise<Refusal | null> => {
    const draft = join(folder, `${file.name}.part`)
    try {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(file, draft)
        } catch (error) {
          const pause = error instanceof UpstreamError ? pauseAfter(error, tries) : null
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

/** Milliseconds until it is worth another try; null where it is not. */
function pauseAfter({ retryable, retryAfterMs }: UpstreamError, tries: number): number | null {
  const pause = Math.max(retryAfterMs ?? 0, PAUSE_MS * tries)
  return retryable && tries < TRIES && pause <= MAX_PAUSE_MS ? pause : null
}

function faultOf({ bytes }: OfficeFile, draft: string): string | null {
  if (!isZip(draft)) return 'what came is no zip: the Office may no longer have it'
  const { size } = statSync(draft)
  if (bytes !== null && size !== bytes) return `${size} bytes came, and the list says ${bytes}`
  return null
}
