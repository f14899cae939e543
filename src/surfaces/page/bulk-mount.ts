import type { Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { readForm } from '../http/body.ts'
import type { CallStream, Exchange, Mount } from '../http/exchange.ts'
import { sendFilePieces, sendHtml, sendHtmlPieces } from '../http/html.ts'
import { CSV_HEADER, csvLine, type ListRow, matches, rowOf, SORTS, sortRows, STATES } from './assets/list-rows.js'
import { expandNames, listProblem, parseNames, type TypedName } from './assets/name-list.js'
import { type BulkForm, bulkPage, bulkResults, COM_ONLY } from './bulk-page.ts'
import type { TldSet } from './name-page.ts'
import { textOf } from './pieces.ts'
import type { About } from './shell.ts'

type Needs = {
  readonly about: About
  readonly sets: readonly TldSet[]
  /** `POST /v1/check/bulk`. */
  readonly checkBulk: Route
}

/** 10,000 domains of a hundred characters, as the endpoint accepts. */
const MAX_FORM_BYTES = 1024 * 1024

/** The page that checks lists. With a script the browser calls the endpoint itself; without one it sends the form here. */
export function bulkMount({ about, sets: categories, checkBulk }: Needs): Mount {
  const sets = [COM_ONLY, ...categories]
  const parseForm = (fields: URLSearchParams): BulkForm => {
    const choice = (name: string, choices: readonly string[], fallback: string): string =>
      choices.find((one) => one === fields.get(name)) ?? fallback
    return {
      names: fields.get('names') ?? '',
      set: choice(
        'set',
        sets.map(({ name }) => name),
        COM_ONLY.name,
      ),
      state: choice('state', STATES, ''),
      sort: choice('sort', SORTS, ''),
    }
  }

  const check = async (exchange: Exchange, stream: CallStream): Promise<void> => {
    let form: BulkForm = parseForm(new URLSearchParams())
    const gone = new AbortController()
    exchange.response.once('close', () => gone.abort())
    try {
      const fields = await readForm(exchange, MAX_FORM_BYTES)
      form = parseForm(fields)
      const { names, repeats } = parseNames(form.names)
      const { domains, typed } = expandNames(names, sets.find(({ name }) => name === form.set)!.tlds)
      const problem = listProblem(domains, names.length)
      if (problem !== undefined) throw new ApiError('invalid_parameter', problem)
      const rows = rowsOf(await stream(checkBulk, { domains }, gone.signal), typed)
      if (fields.get('as') === 'csv') await sendFilePieces(exchange, CSV_FILE, csvOf(rows, form))
      else {
        const page = bulkResults({ about, sets, form }, { rows, domains: domains.length, repeats })
        await sendHtmlPieces(exchange, textOf(page))
      }
    } catch (error) {
      if (!(error instanceof ApiError) || exchange.response.headersSent) throw error
      sendHtml(exchange, error.status, bulkPage({ about, sets, form }, error.message).text, error.headers)
    }
  }

  return {
    name: 'page of lists',
    methods: ['GET', 'POST'],
    path: '/bulk',
    rate: 'own',
    async handle(exchange, _call, quota, stream) {
      if (exchange.request.method === 'POST') return check(exchange, stream)
      await quota.takeDocuments(1)
      const { searchParams } = new URL(exchange.request.url ?? '', 'http://localhost')
      searchParams.delete('names')
      sendHtml(exchange, 200, bulkPage({ about, sets, form: parseForm(searchParams) }, null).text)
    },
  }
}

const CSV_FILE = { type: 'text/csv; charset=utf-8', name: 'onoma.csv' }

async function* rowsOf(answers: AsyncIterable<unknown>, typed: ReadonlyMap<string, TypedName>): AsyncIterable<ListRow> {
  for await (const answer of answers) if (!('summary' in (answer as object))) yield rowOf(answer, typed)
}

async function* csvOf(rows: AsyncIterable<ListRow>, { state, sort }: BulkForm): AsyncIterable<string> {
  yield CSV_HEADER
  const kept: ListRow[] = []
  for await (const row of rows) {
    if (!matches(row, state)) continue
    if (sort === '') yield csvLine(row)
    else kept.push(row)
  }
  for (const row of sortRows(kept, sort)) yield csvLine(row)
}
