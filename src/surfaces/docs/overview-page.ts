import { type Html, markup } from '../page/html.ts'
import { type Frame, framePage } from './frame.ts'
import { address } from './prose.ts'
import { titleOf } from './reference.ts'
import type { Entry } from './search.ts'

/** The first page of the reference: every endpoint in one line. */
export const overviewPage = (frame: Frame, baseUrl: string): Html =>
  framePage(frame, {
    title: 'Reference',
    description: 'Every endpoint with its fields, an example and its errors; guides; error codes.',
    path: '/docs',
    content: markup`<section class="entry">
<h1 class="head long">Reference</h1>
<p class="sum">One HTTP API for names. No account, no key: send a request.</p>
<pre tabindex="0"><code>curl '${baseUrl}/v1/check?name=acme&amp;tld=com'</code></pre>
<p class="q">For programs: <a href="/openapi.json">OpenAPI 3.1</a>, <a href="/llms.txt">llms.txt</a>, <a href="/llms-full.txt">llms-full.txt</a>, <a href="/skill.md">skill.md</a>, <a href="/.well-known/api-catalog">API catalog</a>. Agents connect to <code>${baseUrl}/mcp</code>${frame.guides.find('mcp') && markup` (<a href="/docs/guides/mcp">how</a>)`}.</p>
</section>
<div class="cards one">
${frame.reference.groups.map(
  ({
    name,
    description,
    entries,
  }) => markup`<section class="card" id="${name}"><header><h2>${titleOf(name)}</h2><span class="q">${description}</span></header>
<dl class="fields">${entries.map(
    ({ endpoint, page }) => markup`<dt><a href="${page}">${address(endpoint)}</a></dt><dd>${endpoint.summary}.</dd>
`,
  )}</dl></section>
`,
)}
${frame.guides.sections.map(
  ({ title, guides }) => markup`<section class="card"><header><h2>${title}</h2></header>
<dl class="fields">${guides.map(
    ({
      guide,
      about,
    }) => markup`<dt><a href="${guide.page}">${guide.title}</a></dt><dd>${about.replaceAll('`', '')}</dd>
`,
  )}</dl></section>
`,
)}
</div>`,
  })

/** The results of a search. */
export const searchPage = (frame: Frame, query: string, found: readonly Entry[]): Html =>
  framePage(frame, {
    title: `Search for ${query}`,
    description: 'Search in endpoints, error codes and guides.',
    path: '/docs?q=',
    query,
    content: markup`<section class="entry">
<h1 class="head long"><bdi>${query}</bdi></h1>
<p class="sum">${found.length === 0 ? 'Nothing here has all of these words. Try fewer or shorter ones.' : `${found.length} ${found.length === 1 ? 'page' : 'pages'} found.`}</p>
</section>
<ul class="found">${found.map(
      ({ kind, title, about, page }) =>
        markup`<li><a href="${page}">${kind === 'guide' ? title : markup`<code>${title}</code>`}</a> <small class="q">${kind}</small><br><span class="q">${about.replaceAll('`', '')}</span></li>
`,
    )}</ul>
<p><a href="/docs">All endpoints and guides</a></p>`,
  })

/** What a person sees at an address of the reference where nothing is. */
export const missingPage = (frame: Frame, path: string): Html =>
  framePage(frame, {
    title: 'No such page',
    description: 'There is no such page.',
    path: '',
    content: markup`<section class="entry">
<h1 class="head long">No such page</h1>
<p class="sum">There is nothing at <code>${path}</code>. Search the reference, or start at <a href="/docs">all endpoints</a>.</p>
</section>`,
  })
