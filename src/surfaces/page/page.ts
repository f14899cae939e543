import { pathParameters, type Endpoint, type Route } from '../../kernel/endpoint.ts'

/** What a person sees who opens the service in a browser: what it can do, each with a question to try. */
export function indexPage(routes: readonly Route[], { version }: { version: string }): string {
  const endpoints = routes.map(({ endpoint }) => endpoint).filter(({ deprecated }) => deprecated === undefined)
  const groups = Map.groupBy(endpoints, ({ capability }) => capability.name)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Onoma — every name on the internet</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
<main>
<h1>Onoma</h1>
<p class="lead">One HTTP API for every name on the internet: is it free, who holds it, what is it worth, and how do I take it.</p>
${[...groups].map(([capability, members]) => section(capability, members)).join('\n')}
<section>
<h2>For programs</h2>
<ul>
<li><a href="/openapi.json">/openapi.json</a> describes every endpoint (OpenAPI 3.1).</li>
<li><code>/mcp</code> gives the same to agents (Model Context Protocol, Streamable HTTP).</li>
</ul>
</section>
<footer>Version ${escape(version)}</footer>
</main>
</html>
`
}

const section = (capability: string, endpoints: readonly Endpoint[]): string => `<section>
<h2>${escape(capability)}</h2>
${endpoints.map(entry).join('\n')}
</section>`

function entry(endpoint: Endpoint): string {
  const { method, path, summary, description, price, needsToken } = endpoint
  const address =
    method === 'GET' && price === undefined && !needsToken
      ? `<a href="${escape(exampleAddress(endpoint))}">${escape(exampleAddress(endpoint))}</a>`
      : escape(path)
  return `<article>
<h3>${escape(summary)}</h3>
<p><code>${method} ${address}</code></p>
<p>${prose(description)}</p>
</article>`
}

/** The address of the endpoint's own example. */
function exampleAddress({ path, example }: Endpoint): string {
  const input = example.input as Readonly<Record<string, unknown>>
  const inPath = new Set(pathParameters(path))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const query = Object.entries(input)
    .filter(([name]) => !inPath.has(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

/** Descriptions set words of the API in backticks. */
const prose = (text: string): string => escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --paper: #fff; --link: #0a58ca }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --paper: #0d1117; --link: #6ea8fe } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 2.25rem; margin: 0 } h2 { margin: 2.5rem 0 .5rem; text-transform: capitalize; border-bottom: 1px solid var(--line) }
h3 { margin: 1.25rem 0 .25rem; font-size: 1.05rem } p { margin: .25rem 0 } .lead { color: var(--soft); font-size: 1.15rem }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere } a { color: var(--link) }
footer { margin-top: 3rem; color: var(--soft) }
`
