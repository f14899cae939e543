import { ApiError, ERRORS } from '../../kernel/errors.ts'
import type { Call, CallResult, Exchange, Mount } from '../http/exchange.ts'
import { PAGE_HEADERS, sendHtml } from '../http/html.ts'
import { type Rendered, renderText } from '../http/render.ts'
import { sendBytes, sendRendered } from '../http/send.ts'
import type { RunAnswer } from './endpoint-page.ts'
import { isErrorCode, type ReferenceEntry } from './reference.ts'
import { createSite, HTML_TYPE, type Site, type SiteNeeds } from './site.ts'

const LIFETIME_SECONDS = 300

/** Answers every address of the reference. Texts are rendered at their first request and then kept. */
export function docsHandler(needs: SiteNeeds): Mount['handle'] {
  const site = createSite(needs)
  const texts = new Map<string, { readonly type: string; readonly rendered: Rendered }>()
  return async (exchange, call) => {
    const { path, parameters } = addressOf(exchange)
    if (exchange.request.method === 'POST') return runExample(site, exchange, path, call)
    const query = path === '/docs' ? (parameters.get('q') ?? '').trim() : ''
    if (query !== '') return sendHtml(exchange, 200, site.search(query))
    let text = texts.get(path)
    if (!text) {
      const content = site.find(path)
      if (!content) return sendMissing(site, exchange, path)
      const { type, body } = content
      if (typeof body !== 'string') return sendBytes(exchange, body, type, `public, max-age=${LIFETIME_SECONDS}`)
      texts.set(path, (text = { type, rendered: renderText(body, true) }))
    }
    const headers = text.type === HTML_TYPE ? PAGE_HEADERS : []
    await sendRendered(exchange, 200, text.rendered, text.type, LIFETIME_SECONDS, headers)
  }
}

function addressOf({ request }: Exchange): { path: string; parameters: URLSearchParams } {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  return { path: pathname.replace(/(?<=.)\/+$/, ''), parameters: searchParams }
}

/** A person gets a page with a search field, a program the error that every other address would send. */
function sendMissing(site: Site, exchange: Exchange, path: string): void {
  if (!exchange.request.headers.accept?.includes('text/html'))
    throw new ApiError('not_found', 'There is no such page; /docs lists all pages.')
  sendHtml(exchange, 404, site.missing(path))
}

/** Sends the example of an endpoint for a browser without a script, which cannot send JSON. Counted like any request. */
async function runExample(site: Site, exchange: Exchange, path: string, call: Call): Promise<void> {
  const entry = site.findEndpoint(path)
  if (!entry) return sendMissing(site, exchange, path)
  const gone = new AbortController()
  exchange.response.once('close', () => gone.abort())
  const { endpoint } = entry
  const result = await call(entry.route, endpoint.example.input, gone.signal)
  sendHtml(exchange, 200, site.showAnswer(entry, answerOf(entry, result)))
}

function answerOf({ failures }: ReferenceEntry, result: CallResult): RunAnswer {
  if ('paid' in result) return { status: String(result.paid.status), body: indent(JSON.parse(result.paid.body)) }
  if (result.ok) return { status: '200 OK', body: indent(result.body) }
  const code = String(result.error['error'])
  const usual = isErrorCode(code) ? ERRORS[code].status : 500
  const status = failures.find((failing) => failing.code === code)?.status ?? usual
  return { status: String(status), body: indent(result.error) }
}

const indent = (body: unknown): string => JSON.stringify(body, null, 2)
