import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { type HttpServer, type ScriptedAnswer, type SimulatedRequest, serveHttp } from '../http-server.ts'
import { OK, outcomeOf } from '../outcome.ts'
import { type HttpAnswer, jsonAnswer, textAnswer } from '../play-http.ts'
import type { Wait } from '../simulator.ts'

export const OFFICE_KEY = 'sandbox-office-key'

const PRODUCTS = { TRTYRAP: 'annual', TRTDXFAP: 'daily' } as const
type Product = keyof typeof PRODUCTS
type Files = Readonly<Record<string, Uint8Array>>

type Options = {
  readonly wait: Wait
  /** Content by product and file name. */
  readonly files?: Partial<Record<(typeof PRODUCTS)[Product], Files>>
  readonly records?: readonly TrademarkRecord[]
  /** Files per page of a product's list. */
  readonly pageSize?: number
  /** A word of `outcome.ts` for a path (`/products/TRTDXFAP`, `/data/apc260101.zip`, `/cases/sn70000001/info.json`). */
  readonly script?: (path: string) => string
}

export type Office = {
  /** For ONOMA_TRADEMARK_OFFICE_URL. */
  readonly productsUrl: string
  /** For ONOMA_TRADEMARK_ENRICHMENT_URL. */
  readonly casesUrl: string
  /** The requested paths, in order. */
  readonly asked: readonly string[]
  stop: HttpServer['stop']
}

/**
 * The trademark office: lists of files, the files behind a redirect, and its record system. Like the real one it needs a
 * key, lists documents among the data files, and answers 200 with a web page for a missing file.
 */
export async function startOffice({
  wait,
  files = {},
  records = [],
  pageSize = 1e6,
  script,
}: Options): Promise<Office> {
  const asked: string[] = []
  const bySerial = new Map(records.map((record) => [record.serial, record]))
  const answerTo = ({ url, headers }: SimulatedRequest): HttpAnswer => {
    const [, area, product = '', name = ''] = /^\/(\w+)\/(?:files\/)?([\w.]+)(?:\/([\w.-]+))?$/.exec(url.pathname) ?? []
    if (area === 'data') return fileAnswer(files, product as Product, name)
    if (area === 'cases') {
      if (headers['uspto-api-key'] !== OFFICE_KEY)
        return textAnswer('The USPTO-API-KEY header is missing or wrong.\n', 401)
      const record = bySerial.get(product.slice(2))
      return record ? jsonAnswer(caseOf(record)) : textAnswer('No such case.\n', 404)
    }
    if (area !== 'products' || !Object.hasOwn(PRODUCTS, product)) return textAnswer('Not found.\n', 404)
    if (headers['x-api-key'] !== OFFICE_KEY) return jsonAnswer({ message: 'Unauthorized' }, 401)
    if (name !== '') return { ...textAnswer('', 302), headers: { location: `/data/${product}/${name}?token=5s` } }
    const offset = Number(url.searchParams.get('offset') ?? 0)
    return jsonAnswer(
      listOf(product as Product, files[PRODUCTS[product as Product]] ?? {}, server.url, offset, pageSize),
    )
  }
  const respond = (request: SimulatedRequest): ScriptedAnswer => {
    const { pathname, search } = request.url
    asked.push(pathname + search)
    return { outcome: script ? outcomeOf(script(pathname)) : OK, answer: answerTo(request) }
  }
  const server = await serveHttp(respond, { wait })
  return {
    productsUrl: `${server.url}/products`,
    casesUrl: `${server.url}/cases/sn{serial}/info.json`,
    asked,
    stop: server.stop,
  }
}

function fileAnswer(files: Options['files'], product: Product, name: string): HttpAnswer {
  const bytes = files?.[PRODUCTS[product]]?.[name]
  if (bytes) return { status: 200, type: 'application/zip', body: bytes }
  return { status: 200, type: 'text/html', body: '<!doctype html><title>Not here</title>' }
}

function listOf(product: Product, files: Files, base: string, offset: number, pageSize: number): unknown {
  const entries = Object.entries(files).map(([fileName, { length }]) => ({
    fileName,
    fileSize: length,
    fileTypeText: 'Data',
    fileDownloadURI: `${base}/products/files/${product}/${fileName}`,
    fileReleaseDate: '2026-11-15 01:00:00',
  }))
  const document = { fileName: 'Status-Codes.doc', fileSize: 154_624, fileTypeText: 'Document' }
  const fileDataBag = [...entries, document].slice(offset, offset + pageSize)
  const bag = { productIdentifier: product, productFileBag: { count: fileDataBag.length, fileDataBag } }
  return { count: 1, bulkDataProductBag: [bag] }
}

const isoOf = (day: number): string => String(day).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')

/** A case as the record system returns it. Its status text differs from that of the files, so tests can tell them apart. */
function caseOf(record: TrademarkRecord): unknown {
  return {
    trademarks: [
      {
        status: {
          serialNumber: Number(record.serial),
          markElement: record.mark,
          status: Number(record.status),
          extStatusDesc: 'As told by the record system.',
          tm5StatusDesc: 'LIVE/REGISTRATION/Issued and Active',
          statusDate: isoOf(record.transactionDate),
          correspondence: { attorneyName: record.attorney },
        },
        parties: { ownerGroups: { 10: [{ name: 'First Applicant' }], 30: [{ name: record.owner }] } },
        gsList: record.classes.map((code) => ({ internationalClasses: [{ code }] })),
        prosecutionHistory: [
          { entryNumber: 1, entryDate: '2020-01-02', entryDesc: 'NEW APPLICATION ENTERED' },
          { entryNumber: 2, entryDate: '2026-11-14', entryDesc: 'REGISTERED' },
        ],
      },
    ],
  }
}
