import type { Clock } from '../../kernel/clock.ts'
import type { Context, Route } from '../../kernel/endpoint.ts'
import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { Mount } from '../http/exchange.ts'
import { sendHtml } from '../http/html.ts'
import type { About } from './shell.ts'
import { type Feed, type PartState, type Registry, statusPage } from './status-page.ts'

type Needs = {
  readonly about: About
  /** `GET /v1/tlds/health` and `GET /v1/auctions`. */
  readonly registryHealth: Route
  readonly listAuctions: Route
  /** As `GET /ready` answers. */
  readonly readiness: () => Promise<{ readonly status: string; readonly parts?: Readonly<Record<string, PartState>> }>
  /** What is off, and how to switch it on. */
  readonly switchesOf: (
    parts: Readonly<Record<string, PartState>>,
  ) => readonly { readonly what: string; readonly how: string }[]
  readonly clock: Clock
}

/** The page about the service itself. */
export const statusMount = ({ about, registryHealth, listAuctions, readiness, switchesOf, clock }: Needs): Mount => ({
  name: 'page of the status',
  methods: ['GET'],
  path: '/status',
  rate: 'document',
  async handle(exchange) {
    const gone = new AbortController()
    exchange.response.once('close', () => gone.abort())
    const context: Context = {
      requestId: exchange.id,
      client: '',
      signal: gone.signal,
      spend: () => ({ allowed: true, remaining: 0, seconds: 0 }),
    }
    const run = async <Answer>(route: Route, raw: Readonly<Record<string, unknown>>): Promise<Answer> =>
      (await route.run(parseInput(route.endpoint, raw), context)) as Answer
    const [{ status, parts = {} }, { registries }, feeds] = await Promise.all([
      readiness(),
      run<{ registries: readonly Registry[] }>(registryHealth, {}),
      run<{ meta: { sources: Readonly<Record<string, Feed>> } }>(listAuctions, { limit: 1 }).then(
        ({ meta }) => meta.sources,
        whyNoFeeds,
      ),
    ])
    const isReady = status === 'ready'
    const page = statusPage({ about, isReady, parts, registries, feeds, switches: switchesOf(parts), now: clock.now() })
    sendHtml(exchange, 200, page.text)
  },
})

/** None is configured, or none was fetched yet. */
function whyNoFeeds(error: unknown): string {
  if (error instanceof ApiError || error instanceof UpstreamError) return error.message
  throw error
}
