import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { type Html, markup } from '../page/html.ts'
import { ERROR_ADVICE } from './error-advice.ts'
import { codeLinks, type Frame, framePage } from './frame.ts'
import { address, prose } from './prose.ts'
import { errorPage as pageOf } from './reference.ts'

/** What one error code means, and what to do about it. */
export function errorPage(frame: Frame, code: ErrorCode): Html {
  const { status, meaning } = ERRORS[code]
  const uses = frame.reference.usesOf(code)
  const other = uses.filter((use) => use.status !== status)
  const example = { error: code, message: meaning }
  return framePage(frame, {
    title: code,
    description: meaning,
    path: '/docs/errors',
    content: markup`<section class="entry">
<p class="gram"><span>Error code</span><span>usually HTTP ${status}</span></p>
<h1 class="head long"><code>${code}</code></h1>
<p class="sum">${prose(meaning)}</p>
</section>
<div class="cards one">
<section class="card"><header><h2>What to do</h2></header>
<p>${prose(ERROR_ADVICE[code], codeLinks(frame))}</p>
<pre tabindex="0" role="group" aria-label="Example"><code>HTTP ${status}
${JSON.stringify(example, null, 2)}</code></pre>
<p class="src">Compare the code in <code>error</code>, which never changes its meaning; <code>message</code> is for people.</p>
</section>
<section class="card"><header><h2>Where it occurs</h2>${other.length > 0 && markup`<span class="q">with another status at some endpoints</span>`}</header>
${
  uses.length === 0
    ? markup`<p>At any address: it is sent before an endpoint is found.</p>`
    : markup`<dl class="fields">${uses.flatMap((use) =>
        use.entries.map(
          ({
            endpoint,
            page,
          }) => markup`<dt><a href="${page}">${address(endpoint)}</a></dt><dd>${use.status}: ${endpoint.summary}</dd>
`,
        ),
      )}</dl>`
}
</section>
</div>`,
  })
}

/** Every error code, by status. */
export const errorsPage = (frame: Frame): Html =>
  framePage(frame, {
    title: 'Error codes',
    description: 'Every error code with its status and meaning.',
    path: '/docs/errors',
    content: markup`<section class="entry">
<h1 class="head long">Error codes</h1>
<p class="sum">Every error is a code for programs and a sentence for people.</p>
<pre tabindex="0"><code>{"error": "invalid_name", "message": "…"}</code></pre>
${frame.guides.find('errors') && markup`<p>The guide <a href="/docs/guides/errors">Errors</a> says which other fields an error can have.</p>`}
</section>
<div class="cards one"><section class="card"><div class="scroll" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${Object.entries(ERRORS)
      .toSorted(([, one], [, other]) => one.status - other.status)
      .map(
        ([code, { status, meaning }]) =>
          markup`<tr><td>${status}</td><th scope="row"><a class="n" href="${pageOf(code)}">${code}</a></th><td class="q">${prose(meaning)}</td></tr>
`,
      )}</tbody></table></div></section></div>`,
  })
