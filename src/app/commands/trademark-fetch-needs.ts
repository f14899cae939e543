import type { OfficeFile } from '../../trademark/sources/office/listing.ts'
import { formatDuration } from './progress-bar.ts'

/** Assumed for the estimate; the Office's servers are usually faster than that. */
const DOWNLOAD_BYTES_PER_SECOND = 10e6
/** The fetch waits so long between two files. */
const PAUSE_SECONDS = 2.5
/** Bytes of a zip that one processor imports in a second, by our benchmark. */
const IMPORT_BYTES_PER_SECOND = 15e6
/** Size of the index in relation to the zips, while it is merged. */
const INDEX_SHARE = 0.7
/** Files of the annual register with the marks of one year, about. */
const FILES_PER_YEAR = 5

export const sizeOf = (files: readonly Pick<OfficeFile, 'bytes'>[]): number =>
  files.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)

export const formatSize = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB` : `${(bytes / 1e9).toFixed(1)} GB`

/** Shown if there is no key, so that the whole price is known before one is applied for. */
export const NEEDS_WITHOUT_KEY = [
  'ONOMA_TRADEMARK_OFFICE_KEY is not set: downloads from the Office need a key, free at https://data.uspto.gov.',
  'The last two years (--years 2) need about 5 GB of disk and 10 minutes, the whole register (--annual) about 33 GB and an hour at 10 MB/s; both can be searched after the first file.',
]

type Work = {
  /** In the order in which they are fetched and imported. */
  readonly files: readonly (OfficeFile & { readonly isHere: boolean })[]
  readonly years: number | undefined
  readonly imports: boolean
}

/** The files that are likely to be fetched: with `years` the first of the annual register, and all daily ones. */
function likelyFiles({ files, years }: Pick<Work, 'files' | 'years'>): Work['files'] {
  if (years === undefined) return files
  const annual = files.filter(({ kind }) => kind === 'annual')
  const likely = new Set(annual.slice(0, FILES_PER_YEAR * (years + 1)))
  return files.filter((file) => file.kind === 'daily' || likely.has(file))
}

/** Disk and time that the work needs, before it begins. */
export function estimateNeeds({ files, years, imports }: Work) {
  const likely = likelyFiles({ files, years })
  const missing = likely.filter(({ isHere }) => !isHere)
  const downloadBytes = sizeOf(missing)
  const indexBytes = imports ? Math.ceil(sizeOf(likely) * INDEX_SHARE) : 0
  const seconds = (bytes: number, count: number) => bytes / DOWNLOAD_BYTES_PER_SECOND + PAUSE_SECONDS * count
  const importSeconds = (bytes: number) => (imports ? bytes / IMPORT_BYTES_PER_SECOND : 0)
  const [first] = likely
  const firstBytes = first?.bytes ?? 0
  const firstSeconds = (first?.isHere === false ? seconds(firstBytes, 1) : 0) + importSeconds(firstBytes)
  return {
    downloadBytes,
    diskBytes: downloadBytes + indexBytes,
    downloadMs: 1000 * seconds(downloadBytes, missing.length),
    importMs: 1000 * importSeconds(sizeOf(likely)),
    firstMs: 1000 * firstSeconds,
    isEstimate: likely.length < files.length,
  }
}

/** The estimate in two sentences; none if there is nothing to do. */
export function formatNeeds(work: Work): string[] {
  if (work.files.length === 0) return []
  const { downloadBytes, diskBytes, downloadMs, importMs, firstMs, isEstimate } = estimateNeeds(work)
  const about = isEstimate ? 'probably about' : 'about'
  const time = [
    ...(downloadBytes > 0 ? [`${formatDuration(downloadMs)} to download at 10 MB/s`] : []),
    ...(work.imports ? [`${formatDuration(importMs)} to import on one processor`] : []),
  ].join(' and ')
  return [
    `It needs ${about} ${formatSize(diskBytes)} of disk${work.imports ? ', the index included' : ''}${time === '' ? '' : `, and ${time}`}.`,
    ...(work.imports && work.files.length > 1
      ? [`The first records can be searched after about ${formatDuration(firstMs)}; the rest follows.`]
      : []),
  ]
}
