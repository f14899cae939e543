import { parseCidrs } from '../kernel/addresses.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { createMetrics, type Metrics } from '../kernel/metrics.ts'
import { type Random, secureRandom } from '../kernel/random.ts'
import { createMemoryRateLimiter, createUnlimitedRateLimiter } from '../kernel/rate-limit.ts'
import { jsonDocument } from '../surfaces/http/documents.ts'
import { PICTURE_ADDRESS, pictureMount } from '../surfaces/http/pictures.ts'
import { createDoor, type Door, type DoorNeeds } from '../surfaces/http/door.ts'
import { listen, ListenError, type Listener } from '../surfaces/http/listener.ts'
import { listenForMetrics } from '../surfaces/http/metrics-listener.ts'
import { type Readiness, readyMount } from '../surfaces/http/readiness.ts'
import { docsMounts } from '../surfaces/docs/mounts.ts'
import { mcpMount } from '../surfaces/mcp/mount.ts'
import { lazyPageMounts } from '../surfaces/page/lazy-mounts.ts'
import { composeRoutes } from './compose.ts'
import { createReadiness, type ReadinessReport } from './readiness.ts'
import { termsProblems } from './settings/auction-settings.ts'
import { type Config, ConfigError } from './settings/config.ts'
import { version } from './version.ts'
import { docsNeeds } from './wiring/docs.ts'
import { createOutbound } from './wiring/outbound.ts'
import { pageNeeds } from './wiring/pages.ts'
import { paymentParts } from './wiring/parts.ts'
import { openPayments, type Payments } from './wiring/payments.ts'

export type Service = {
  readonly url: string
  readonly ensUrl: string | null
  readonly metricsUrl: string | null
  readonly payments: Pick<Payments, 'mode' | 'simulated'>
  /** Aborted by the first request to a listener, and by the stop: from then on nothing else should use the processor. */
  readonly idle: AbortSignal
  /** Resolves when the upstreams that are asked at the start have answered or failed; the start does not wait for them. */
  readonly settled: Promise<unknown>
  /** Finishes requests in flight, then closes everything. */
  stop(options?: Parameters<Listener['stop']>[0]): Promise<void>
}

export type ServiceOptions = {
  readonly log: Log
  readonly clock?: Clock
  readonly random?: Random
  /** Multiplies the timeouts of lookups; for tests on a busy machine. */
  readonly timeoutScale?: number
}

const HEALTH = { status: 'ok', version }

/** Fewer than the requests' limiter remembers: documents cost little, and forgetting a client only lets it read more. */
const MAX_DOCUMENT_CLIENTS = 20_000

const rateLimiter = (quota: number | null, clock: Clock, maxClients?: number) =>
  quota === null
    ? createUnlimitedRateLimiter()
    : createMemoryRateLimiter({ quota, clock, ...(maxClients !== undefined && { maxClients }) })

/** Starts the whole service on its listeners. If the start fails, everything is closed again. */
export async function startService(
  config: Config,
  { log, clock = systemClock, random = secureRandom, timeoutScale = 1 }: ServiceOptions,
): Promise<Service> {
  const refusals = termsProblems(config)
  if (refusals.length > 0) throw new ConfigError(refusals)
  const metrics = createMetrics()
  const capabilities = composeRoutes(config, { clock, random, log, timeoutScale })
  const limiter = rateLimiter(config.rateLimit, clock)
  metrics.gauge('onoma_rate_limit_clients', 'Client addresses the rate limiter remembers', () => limiter.size)
  const documentLimiter = rateLimiter(config.limits.documentRateLimit, clock, MAX_DOCUMENT_CLIENTS)
  const isTrustedProxy = parseCidrs(config.trustedProxies)
  const limits = { connectionsPerClient: config.limits.maxConnectionsPerClient }
  const { maxRequests } = config.limits
  /** With port 0 it is known once the main listener is open. */
  let publicUrl = withoutSlash(config.publicUrl)
  const links = { publicUrl: () => publicUrl }
  const shared = { limiter, documentLimiter, maxRequests, isTrustedProxy, clock, random, log, metrics, ...links }
  const listeners: Listener[] = []
  let draining = false
  let checkReadiness: ReturnType<typeof createReadiness> | undefined
  /** For `GET /ready`. */
  const readiness = async (): Promise<Readiness & Partial<Pick<ReadinessReport, 'parts'>>> => {
    if (draining) return { status: 'draining' }
    return (await checkReadiness?.()) ?? { status: 'not_ready' }
  }
  const idle = new AbortController()
  metrics.gauge('onoma_connections', 'Open connections of all listeners', () =>
    listeners.reduce((sum, { connections }) => sum + connections, 0),
  )
  /** Listens before the door is created: with port 0 the URL is known only then, and documents contain it. */
  const open = async (
    host: string,
    port: number,
    serve: (url: string) => Pick<DoorNeeds, 'routes' | 'mounts' | 'checkout'>,
  ) => {
    let door: Door | undefined
    const placeholder: Door = {
      handle(request, response) {
        if (!idle.signal.aborted) idle.abort()
        door?.handle(request, response)
      },
      drain: () => door?.drain(),
    }
    const listener = await listen(placeholder, { host, port, log, metrics, isTrustedProxy, limits })
    listeners.push(listener)
    const url = urlOf(listener)
    door = createDoor({ ...shared, ...serve(url) })
    return url
  }
  let payments: Payments | undefined
  const stop: Service['stop'] = async (options) => {
    draining = true
    idle.abort()
    await Promise.all(listeners.map((listener) => listener.stop(options)))
    await payments?.close()
    await capabilities.close()
  }
  try {
    const { settled } = await capabilities.start()
    const endpoints = capabilities.routes.map(({ endpoint }) => endpoint)
    const outbound = createOutbound({ config, clock, log })
    payments = await openPayments({ config, outbound, endpoints, clock, random, log, metrics })
    const { checkout, waysToPay, mode, simulated, checked } = payments
    checkReadiness = createReadiness([...capabilities.parts, ...paymentParts(payments, config.publicUrl)], clock)
    const routes = [...capabilities.routes, ...payments.routes]
    capabilities.setCredits(payments.credits)
    const { ensListenerRoutes } = capabilities
    // First, because the OpenAPI document of the main listener contains its URL.
    const ensUrl =
      config.ensPort === null ? null : await open(config.host, config.ensPort, () => ({ routes: ensListenerRoutes }))
    const url = await open(config.host, config.port, (url) => {
      if (config.publicUrl.endsWith(':0')) publicUrl = url
      capabilities.setPublicUrl(publicUrl)
      const document = async () =>
        (await import('../surfaces/openapi/document.ts')).openapiDocument(routes, {
          version,
          publicUrl,
          waysToPay: waysToPay(publicUrl),
          rateLimit: config.rateLimit,
          files: [PICTURE_ADDRESS],
          ens: ensUrl === null ? null : { url: secondPublicUrl(publicUrl, ensUrl), routes: ensListenerRoutes },
        })
      const showPages = async () => {
        const { pageMounts } = await import('../surfaces/page/mounts.ts')
        return pageMounts(
          pageNeeds({ config, routes, registrars: capabilities.registrars, payments: { mode }, readiness, clock }),
        )
      }
      return {
        routes,
        checkout: checkout(publicUrl),
        mounts: [
          ...lazyPageMounts(showPages),
          ...docsMounts(docsNeeds(routes, publicUrl, config.rateLimit)),
          jsonDocument('openapi', '/openapi.json', document),
          readyMount(readiness),
          pictureMount(capabilities.screenshots),
          mcpMount(routes, { version, publicUrl, host: config.host, log }),
        ],
      }
    })
    const metricsListener =
      config.metrics && (await openMetrics(config.metrics, metrics, { log, health: HEALTH, readiness }))
    if (metricsListener) listeners.push(metricsListener)
    const metricsUrl = metricsListener && `${urlOf(metricsListener)}/metrics`
    return {
      url,
      ensUrl,
      metricsUrl,
      payments: { mode, simulated },
      idle: idle.signal,
      settled: Promise.all([settled, checked]),
      stop,
    }
  } catch (error) {
    await stop({ lingerMs: 0, graceMs: 0 })
    throw error
  }
}

/** A taken default port only turns metrics off, so that a second instance on one machine starts; a configured port must be free. */
async function openMetrics(
  { host, port, explicit }: NonNullable<Config['metrics']>,
  metrics: Metrics,
  needs: Omit<Parameters<typeof listenForMetrics>[1], 'host' | 'port'>,
): Promise<Listener | null> {
  try {
    return await listenForMetrics(metrics, { host, port, ...needs })
  } catch (error) {
    if (explicit || !(error instanceof ListenError)) throw error
    needs.log.warn(
      { error: error.message },
      'Metrics are off: their default port is taken. Set ONOMA_METRICS to another port.',
    )
    return null
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')

const urlOf = ({ host, port }: Listener): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The second base URL as clients reach it: the public host with the port it listens on. */
const secondPublicUrl = (publicUrl: string, ensUrl: string): string =>
  `http://${new URL(publicUrl).hostname}:${new URL(ensUrl).port}`
