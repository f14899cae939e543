import { readFile } from 'node:fs/promises'
import { parseCsv } from '../../src/kernel/csv.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import type { SearchIndex } from '../../src/trademark/search-index.ts'
import { searchAndCount, noRecall, type Miss, type Recall } from './recall.ts'

/** Two confusable marks: the older one that was cited, and the one to search for. */
export type Pair = { readonly cited: string; readonly query: string; readonly class: string | undefined }

/** Reads lines of `cited mark,query,class`; a header line is skipped, and the class is optional. */
export async function readPairs(path: string): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (const { line, fields } of parseCsv(await readFile(path, 'utf8'))) {
    const [cited = '', query = '', only = ''] = fields.map((field) => field.trim())
    if (line === 1 && /^cited/i.test(cited)) continue
    if (cited === '' || query === '') throw new Error(`${path}, line ${line}: a cited mark and a query are needed.`)
    if (!/^\d{0,3}$/.test(only)) throw new Error(`${path}, line ${line}: ${only} is not the number of a class.`)
    pairs.push({ cited, query, class: only === '' ? undefined : only.padStart(3, '0') })
  }
  if (pairs.length === 0) throw new Error(`${path} holds no pairs.`)
  return pairs
}

/** Serial numbers from here on are not used by the invented register. */
const FIRST_SERIAL = 99_000_000

/** The cited marks as records of the register. */
export const recordsOf = (pairs: readonly Pair[]): TrademarkRecord[] =>
  pairs.map((pair, at) => ({
    serial: String(FIRST_SERIAL + at),
    mark: pair.cited.toUpperCase(),
    pseudoMarks: [],
    status: '700',
    statusDate: 20200101,
    filingDate: 20190101,
    registrationDate: 20200101,
    renewalDate: null,
    transactionDate: 20200101,
    owner: 'Owner of a cited mark',
    goods: 'Goods of a cited mark.',
    classes: [pair.class ?? '009'],
    attorney: '',
    history: [],
  }))

export type PairScore = { readonly anywhere: Recall; readonly inClass: Recall; readonly misses: readonly Miss[] }

export async function scorePairs(index: SearchIndex, pairs: readonly Pair[]): Promise<PairScore> {
  const anywhere = noRecall()
  const inClass = noRecall()
  const misses: Miss[] = []
  for (const { cited, query, class: only } of pairs) {
    const miss = await searchAndCount(index, { text: query, mark: cited }, anywhere)
    if (miss) misses.push({ kind: 'pair', ...miss })
    if (only !== undefined) await searchAndCount(index, { text: query, mark: cited, class: only }, inClass)
  }
  return { anywhere, inClass, misses }
}
