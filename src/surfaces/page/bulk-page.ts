import { type ListRow, matches, SORTS, sortRows, STATES } from './assets/list-rows.js'
import { constant, type Html, markup } from './html.ts'
import type { TldSet } from './name-page.ts'
import { type About, closePage, openPage, ring } from './shell.ts'

/** What the form holds, as it was sent; the address of the page may set all but the names. */
export type BulkForm = {
  readonly names: string
  /** The TLDs for names without one. */
  readonly set: string
  readonly state: string
  readonly sort: string
}

/** The choice for names without a TLD that checks one domain each. */
export const COM_ONLY: TldSet = { name: 'com', label: '.com only', tlds: ['com'] }

type Bulk = { readonly about: About; readonly sets: readonly TldSet[]; readonly form: BulkForm }

const WORDS: Readonly<Record<string, string>> = { answered: 'as answered', line: 'by line', name: 'by name' }

const openBulk = ({ about, sets, form }: Bulk, title: string | undefined, problem: string | null): Html =>
  markup`${openPage({
    about,
    ...(title !== undefined && { title }),
    description: 'Check up to 10,000 names or domains at once.',
    asked: '',
    current: '/bulk',
  })}<main id="main" class="stream">
<section class="entry">
<h1 class="head long">Many names at once</h1>
<p class="sum">Paste or drop up to 10,000 names or domains, one a line, or a CSV. Answers come back as they are known.</p>
</section>
<form class="bulk noprint" id="list" action="/bulk" method="post">
<label class="vh" for="names">Names or domains, one a line</label>
<textarea class="in" id="names" name="names" rows="7" placeholder="acme.com&#10;acme.dev&#10;bücher.de" spellcheck="false" autocapitalize="none" autocomplete="off" required>${
    form.names === ''
      ? null
      : markup`
${form.names}`
  }</textarea>
<p class="row">
<label>TLDs for bare names ${select(
    'set',
    sets.map(({ name, label, tlds }) => ({ value: name, text: `${label} (${tlds.length})`, tlds: tlds.join(',') })),
    form.set,
  )}</label>
<label>Show ${select('state', [{ value: '', text: 'all' }, ...STATES.map((value) => ({ value, text: value }))], form.state)}</label>
<label>Order ${select(
    'sort',
    SORTS.map((value) => ({ value: value === 'answered' ? '' : value, text: WORDS[value] ?? `by ${value}` })),
    form.sort,
  )}</label>
</p>
<p class="row">
<button class="btn">Check the list</button>
<button class="btn alt" name="as" value="csv">Get a CSV</button>
<label class="scripted">or a file <input type="file" id="file" accept=".csv,.txt,.tsv,text/plain,text/csv"></label>
</p>
<p class="problem" id="problem" role="alert">${problem === null ? null : markup`<span class="s bad">${ring}not checked</span> ${problem}`}</p>
</form>
`

type Option = { readonly value: string; readonly text: string; readonly tlds?: string }

const select = (name: string, options: readonly Option[], chosen: string): Html =>
  markup`<select class="in" name="${name}">${options.map(
    ({ value, text, tlds }) =>
      markup`<option value="${value}"${value === chosen ? constant(' selected') : null}${tlds === undefined ? null : markup` data-tlds="${tlds}"`}>${text}</option>`,
  )}</select>`

/** The page with the form alone, or with the reason why a list cannot be checked. */
export const bulkPage = (bulk: Bulk, problem: string | null): Html =>
  markup`${openBulk(bulk, 'Onoma: check many names at once', problem)}<div class="cards" id="results"></div>
</main>${closePage(bulk.about)}`

type Answers = {
  readonly rows: AsyncIterable<ListRow>
  /** Domains that are checked. */
  readonly domains: number
  readonly repeats: number
}

const TABLE = constant(`<div class="scroll" tabindex="0" role="region" aria-label="Results"><table class="rows">
<thead><tr><th scope="col" class="num">Line</th><th scope="col">State</th><th scope="col">Name</th><th scope="col">Note</th></tr></thead>
<tbody>
`)

/** The form, and below it a row for each answer as soon as it is known; sorted ones when all are known. */
export async function* bulkResults(bulk: Bulk, { rows, domains, repeats }: Answers): AsyncIterable<Html> {
  const { state, sort } = bulk.form
  const isSorted = sort !== '' && SORTS.includes(sort)
  yield markup`${openBulk(bulk, undefined, null)}<div class="cards" id="results"><section class="card wide">
<header><h2>${count(domains)} ${domains === 1 ? 'domain' : 'domains'}</h2>${repeats === 0 ? null : markup`<span class="q">${count(repeats)} repeated, checked once</span>`}</header>
${TABLE}`
  const counts = new Map<string, number>()
  const kept: ListRow[] = []
  let shown = 0
  for await (const row of rows) {
    counts.set(row.state, (counts.get(row.state) ?? 0) + 1)
    if (!matches(row, state)) continue
    shown++
    if (isSorted) kept.push(row)
    else yield rowOfTable(row)
  }
  for (const row of sortRows(kept, sort)) yield rowOfTable(row)
  const words = STATES.filter((name) => counts.has(name)).map((name) => `${count(counts.get(name)!)} ${name}`)
  const summary = words.join(', ') || 'nothing to check'
  yield markup`</tbody></table></div>
${shown === 0 ? markup`<p>None of these domains is ${state}.</p>` : null}<p class="row">${STATES.filter((name) =>
    counts.has(name),
  ).map(
    (name) =>
      markup`<span class="s ${name === 'invalid' ? 'bad' : name}">${ring}${count(counts.get(name)!)} ${name}</span>`,
  )}</p>
<p class="src"><code>POST /v1/check/bulk</code> · one line an answer · every 20 domains count as one request</p>
</section></div>
</main><title>Bulk: ${summary}</title>${closePage(bulk.about)}`
}

const count = (number: number): string => number.toLocaleString('en')

const rowOfTable = ({ line, state, name, domain, note }: ListRow): Html =>
  markup`<tr><td class="num q">${line === 0 ? null : line}</td><td><span class="s ${state === 'invalid' ? 'bad' : state}">${ring}${state}</span></td><th scope="row"><bdi>${
    state === 'invalid' ? markup`${name}` : markup`<a href="/d/${encodeURIComponent(domain)}">${name}</a>`
  }</bdi></th><td class="q">${note}</td></tr>
`
