import type { Endpoint } from '../../kernel/endpoint.ts'
import { constant, type Html, markup } from '../page/html.ts'
import { formatPrice } from '../mcp/tools.ts'
import { ring } from '../page/shell.ts'
import { ERROR_ADVICE } from './error-advice.ts'
import { type FieldRow, inputRows, outputShapes } from './fields.ts'
import { codeLinks, type Frame, framePage } from './frame.ts'
import { address, prose } from './prose.ts'
import { errorPage, type ReferenceEntry, titleOf } from './reference.ts'
import { exampleAddress, exampleBody, samplesOf } from './samples.ts'

/** What running the example gave. */
export type RunAnswer = { readonly status: string; readonly body: string }

type Options = {
  readonly baseUrl: string
  /** Requests per minute and client; null for no limit. */
  readonly rateLimit: number | null
  /** Shown instead of the example's answer. */
  readonly answer?: RunAnswer
}

/** The page of one endpoint: fields, example, errors. */
export function endpointPage(frame: Frame, entry: ReferenceEntry, { baseUrl, rateLimit, answer }: Options): Html {
  const { endpoint, page, failures } = entry
  const { summary, description, capability, deprecated } = endpoint
  const shapes = outputShapes(endpoint)
  const certainty = certaintyPage(frame, capability.name)
  const content = markup`<section class="entry">
<p class="gram">${factsOf(endpoint, rateLimit).map((fact) => markup`<span>${fact}</span>`)}</p>
<h1 class="head long">${address(endpoint)}</h1>
<p class="sum">${summary}.</p>
${deprecated && markup`<p><span class="s bad">${ring}deprecated</span> since ${deprecated.since}. Use ${linked(frame, deprecated.successor)}.</p>`}
${description.split('\n\n').map((paragraph) => markup`<p class="lead">${prose(paragraph, codeLinks(frame))}</p>`)}
</section>
<div class="cards one">
<section class="card" id="parameters"><header><h2>${endpoint.method === 'POST' ? 'Body and parameters' : 'Parameters'}</h2></header>
${fieldList(inputRows(endpoint), 'None.')}</section>
<section class="card" id="example"><header><h2>Example</h2>${runButton(entry)}</header>
${tabs(endpoint, baseUrl)}
${answer ? answerBox(answer, 'Answer') : answerBox({ status: '200 OK', body: JSON.stringify(endpoint.example.output, null, 2) }, 'Example of an answer')}
</section>
<section class="card" id="response"><header><h2>Response</h2></header>
${shapes.map(({ title, rows }) => markup`${title !== null && markup`<p class="q">${prose(title)}</p>`}${fieldList(rows, 'An object with other fields; see the example.')}`)}
${certainty && markup`<p class="src"><a href="${certainty}">What this answer is worth</a>: how sure it is, and what it does not say.</p>`}
</section>
<section class="card" id="errors"><header><h2>Errors</h2></header>
<div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What to do</th></tr></thead>
<tbody>${failures.map(
    ({ status, code }) =>
      markup`<tr><td>${status}</td><th scope="row"><a class="n" href="${errorPage(code)}">${code}</a></th><td class="q">${prose(ERROR_ADVICE[code], codeLinks(frame))}</td></tr>
`,
  )}</tbody></table></div>
</section>
</div>`
  return framePage(frame, {
    title: `${endpoint.method} ${endpoint.path}`,
    description: `${summary}. ${titleOf(capability.name)}.`,
    path: page,
    content,
  })
}

/** Where a guide says how sure the answers of a capability are. */
function certaintyPage({ guides }: Frame, capability: string): string | undefined {
  const guide = guides.find('certainty')
  return guide?.render().headings.some(({ id }) => id === capability) ? `${guide.page}#${capability}` : undefined
}

function factsOf({ capability, price, rate, streams, ttlSeconds, tool }: Endpoint, rateLimit: number | null): string[] {
  return [
    titleOf(capability.name),
    price ? formatPrice(price) : 'free',
    rate === 'free' || rateLimit === null ? 'no rate limit' : `${rateLimit} requests a minute`,
    streams ? 'JSON, NDJSON, SSE' : 'JSON',
    ...(ttlSeconds === undefined ? [] : [`cached for ${ttlSeconds} s`]),
    ...(tool ? ['MCP tool'] : []),
  ]
}

function fieldList(rows: readonly FieldRow[], none: string): Html {
  if (rows.length === 0) return markup`<p class="q">${none}</p>`
  return markup`<dl class="fields">${rows.map(
    ({ name, type, isRequired, description }) =>
      markup`<dt><code>${name}</code><br><small>${type}${isRequired && constant(', <b>required</b>')}</small></dt><dd>${prose(description)}</dd>
`,
  )}</dl>`
}

/** A GET opens its answer; a POST is sent by this service, which shows the answer on the page. With a script both are shown in place. */
function runButton({ endpoint, page }: ReferenceEntry): Html {
  const target = exampleAddress(endpoint)
  const body = exampleBody(endpoint)
  return body === undefined
    ? markup`<a class="btn alt" data-run href="${target}">Run it</a>`
    : markup`<form method="post" action="${page}#example" data-run="${target}" data-body="${body}"><button class="btn alt">Run it</button></form>`
}

const tabs = (endpoint: Endpoint, baseUrl: string): Html =>
  markup`<fieldset class="tabs"><legend class="vh">Show the example as</legend>${samplesOf(endpoint, baseUrl).map(
    ({ label, text }, at) =>
      markup`<input type="radio" name="sample" id="sample${at}"${at === 0 && constant(' checked')}><label for="sample${at}">${label}</label><pre tabindex="0" role="group" aria-label="${label}"><code>${text}</code></pre>`,
  )}</fieldset>`

const answerBox = ({ status, body }: RunAnswer, label: string): Html =>
  markup`<div data-answer aria-live="polite"><p class="src"><span>${label}</span>, <code>${status}</code></p><pre tabindex="0" role="group" aria-label="Answer"><code>${body}</code></pre></div>`

/** The address of another endpoint, with a link to its page. */
function linked({ reference }: Frame, path: string): Html {
  const entry = reference.entries.find(({ endpoint }) => endpoint.path === path)
  return entry ? markup`<a href="${entry.page}">${address(entry.endpoint)}</a>` : markup`<code>${path}</code>`
}
