import * as z from 'zod'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Upstream } from '../../../kernel/upstream/client.ts'

/** Products of the Office: the complete register once a year, and the changed records every day. */
export const PRODUCTS = { annual: 'TRTYRAP', daily: 'TRTDXFAP' } as const
export type Kind = keyof typeof PRODUCTS

export type OfficeFile = {
  readonly kind: Kind
  readonly name: string
  /** Null if the listing does not say. */
  readonly bytes: number | null
  /** The last day covered by the file, `YYYY-MM-DD`. */
  readonly day: string
  readonly url: string
}

type Needs = {
  readonly upstream: Pick<Upstream, 'request'>
  /** URL of the products, without a slash at its end. */
  readonly url: string
  readonly key: string
}

export const keyHeader = (key: string) => ({ 'x-api-key': key })

const MAX_LIST_BYTES = 32 * 1024 * 1024
const MAX_PAGES = 100

const fileSchema = z.object({
  fileName: z.string(),
  fileSize: z.int().positive().nullish().catch(null),
  fileDownloadURI: z.string().nullish().catch(null),
})
type Entry = z.infer<typeof fileSchema>
const productSchema = z.object({
  productIdentifier: z.string().optional(),
  productFileBag: z.object({ fileDataBag: z.array(z.unknown()) }),
})
const listSchema = z.union([
  z.object({ bulkDataProductBag: z.array(productSchema) }).transform((list) => list.bulkDataProductBag),
  productSchema.transform((product) => [product]),
])

/**
 * The files that the Office offers for a product, oldest day first. Pages are requested until one has nothing new, because it is
 * not known whether the Office lists all files at once. Throws UpstreamError.
 */
export async function listFiles(kind: Kind, needs: Needs, signal: AbortSignal): Promise<OfficeFile[]> {
  const entries = new Map<string, Entry>()
  let listed = 0
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await requestPage(kind, needs, listed, signal)
    listed += page.length
    const before = entries.size
    for (const entry of page.flatMap(parseEntry)) entries.set(entry.fileName, entry)
    if (entries.size === before) break
  }
  const files = [...entries.values()].flatMap((entry) => fileOf(kind, entry, needs.url))
  if (files.length === 0) {
    throw new UpstreamError('unavailable', `the list of ${PRODUCTS[kind]} has no files of the register in it`)
  }
  return files.toSorted((a, b) => compare(a.day, b.day) || compare(a.name, b.name))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function requestPage(kind: Kind, { upstream, url, key }: Needs, offset: number, signal: AbortSignal) {
  const product = PRODUCTS[kind]
  const reply = await upstream.request({
    url: `${url}/${product}?includeFiles=true${offset === 0 ? '' : `&offset=${offset}`}`,
    headers: { ...keyHeader(key), accept: 'application/json' },
    maxBytes: MAX_LIST_BYTES,
    // After the last page the Office may answer 400 or 404.
    accept: offset === 0 ? [200] : [200, 400, 404],
    signal,
  })
  if (reply.status !== 200) return []
  const parsed = listSchema.safeParse(reply.json())
  if (!parsed.success) {
    throw new UpstreamError('unavailable', `the list of ${product} is not what was expected`, { cause: parsed.error })
  }
  return parsed.data
    .filter(({ productIdentifier = product }) => productIdentifier.toUpperCase() === product)
    .flatMap(({ productFileBag }) => productFileBag.fileDataBag)
}

/** `apc260131.zip`, or `apc18840407-20251231-07.zip` of a complete register. A listing also has documents and other files. */
const FILE_NAMES: Readonly<Record<Kind, RegExp>> = {
  daily: /^apc(?<year>\d\d)(?<month>\d\d)(?<date>\d\d)\.zip$/,
  annual: /^apc\d{8}-(?<year>\d{4})(?<month>\d\d)(?<date>\d\d)-\d{2,3}\.zip$/,
}

/** The day in the name of a file; null if it is not a file of the register. */
export function dayOf(kind: Kind, name: string): string | null {
  const { year, month, date } = FILE_NAMES[kind].exec(name)?.groups ?? {}
  if (year === undefined) return null
  const day = `${year.padStart(4, '20')}-${month}-${date}`
  return Number.isNaN(Date.parse(day)) ? null : day
}

const parseEntry = (value: unknown): Entry[] => {
  const parsed = fileSchema.safeParse(value)
  return parsed.success ? [parsed.data] : []
}

function fileOf(kind: Kind, { fileName: name, fileSize, fileDownloadURI }: Entry, base: string): OfficeFile[] {
  const day = dayOf(kind, name)
  if (day === null) return []
  const plain = `${base}/files/${PRODUCTS[kind]}/${name}`
  // The request carries the API key, so only the configured host is contacted.
  const isOurHost = fileDownloadURI?.startsWith(`${base}/files/`) && fileDownloadURI.endsWith(`/${name}`)
  return [{ kind, name, bytes: fileSize ?? null, day, url: isOurHost ? fileDownloadURI! : plain }]
}
