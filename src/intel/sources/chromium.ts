import { availableParallelism, tmpdir } from 'node:os'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { Clock } from '../../kernel/clock.ts'
import { unlessAborted, withTimeout } from '../../kernel/timeout.ts'
import { reasonsOf } from '../../kernel/error-response.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { Browser, Capture } from '../browser.ts'
import { SiteError } from '../site-error.ts'
import { capture, findSchemes, type Pace, type Visit } from './chromium/capture.ts'
import { browserEnv } from './chromium/browser-env.ts'
import { createPrograms } from './chromium/programs.ts'
import type { Rules } from './egress/destination.ts'
import type { Pass, PassLimits } from './egress/pass.ts'
import { type OperatorProxy, startEgress } from './egress/proxy.ts'

type Needs = Pick<Rules, 'resolve' | 'reach'> & {
  /** Pages are reached through it; directly without it. */
  readonly proxy?: OperatorProxy | undefined
  /** Path of Chromium; null if not installed. */
  readonly program: string | null
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly options?: Partial<Options>
}

type Options = Pace &
  PassLimits & {
    /** Maximum concurrent captures; more than there are cores makes each slower. */
    readonly concurrent: number
    /** Maximum queued captures. */
    readonly queue: number
    /** For one visit, including its time in the queue. */
    readonly timeoutMs: number
    /** A browser is restarted after this many captures, before leaked memory adds up. */
    readonly recycleAfter: number
    /** A browser whose processes use more memory is killed, even during a capture. */
    readonly maxMegabytes: number
    /** Chromium's sandbox, which does not work for root. */
    readonly sandbox: boolean
    /** Whether the browser runs at a lower CPU priority. */
    readonly lowPriority: boolean
    /** The environment of the browser. */
    readonly env: Readonly<Record<string, string>>
    readonly ports: readonly number[]
  }

const DEFAULTS: Omit<Options, 'concurrent' | 'env'> = {
  sandbox: true,
  queue: 16,
  timeoutMs: 15_000,
  recycleAfter: 200,
  maxMegabytes: 2048,
  lowPriority: true,
  quietMs: 300,
  settleMs: 2500,
  pictureMs: 3500,
  maxBytes: 20 * 1024 * 1024,
  maxOpen: 64,
  maxConnections: 400,
  ports: [80, 443],
}

const PLAIN_MACHINE = { platform: 'linux', env: {} } as const
const VIEWPORT = { width: 1280, height: 800 }
/** If a context takes longer to close, its browser is killed. */
const CLOSE_TIMEOUT_MS = 3000
const READY_TIMEOUT_MS = 20_000

export async function createChromium({
  program,
  resolve,
  reach,
  proxy,
  clock,
  random,
  log,
  options,
}: Needs): Promise<Browser> {
  const defaults = { ...DEFAULTS, concurrent: availableParallelism(), env: browserEnv(PLAIN_MACHINE, tmpdir()) }
  const settings: Options = { ...defaults, ...options }
  const { concurrent, queue, timeoutMs } = settings
  const limit = createConcurrencyLimit({ name: 'the browser', maxConcurrent: concurrent, maxQueue: queue })
  const egress = await startEgress({ random, resolve, reach, proxy, ports: settings.ports })
  const programs = createPrograms({ path: program, proxyUrl: egress.url, clock, log, ...settings })

  const look = async (host: string, stage: Stage, signal: AbortSignal): Promise<Capture> => {
    const pass = egress.admit(settings)
    try {
      stage.isAtSite = true
      const schemes = await unlessAborted(findSchemes(host, pass), signal)
      stage.isAtSite = false
      return await inContext({ host, pass, schemes, endsAt: stage.endsAt, signal }, stage)
    } finally {
      pass.close()
    }
  }

  const inContext = async (
    visit: Pick<Visit, 'host' | 'pass' | 'schemes' | 'endsAt' | 'signal'>,
    stage: Stage,
  ): Promise<Capture> => {
    const { pass, signal } = visit
    const lease = await programs.take(signal)
    const opening = lease.driven.newContext(contextOptions(egress.url, pass, lease.driven.version()))
    try {
      const context = await unlessAborted(opening, signal)
      stage.isAtSite = true
      return await unlessAborted(capture({ ...visit, context, clock, pace: settings }), signal)
    } finally {
      // Close its connections first, so the page cannot send anything while it closes.
      pass.close()
      await closeContext(opening).catch(() => lease.kill())
      lease.giveBack()
    }
  }

  return {
    hasRoom: () => limit.active < concurrent || limit.waiting < queue,
    ready: (signal) =>
      withTimeout({ who: 'the browser', timeoutMs: READY_TIMEOUT_MS, signal }, (own) => programs.ready(own)),
    async visit(host, signal) {
      const stage: Stage = { endsAt: clock.monotonic() + timeoutMs, isAtSite: false }
      try {
        return await withTimeout({ who: 'the browser', timeoutMs, signal }, (own) =>
          limit.run(() => look(host, stage, own), own),
        )
      } catch (error) {
        signal.throwIfAborted()
        const failure = failureOf(error, stage)
        if (failure instanceof SiteError) log.debug({ host, error: failure }, 'The site showed no page.')
        else log.warn({ reason: reasonsOf(failure) }, 'The page could not be captured.')
        throw failure
      }
    },
    async close() {
      await programs.close()
      await egress.close()
    },
  }
}

/** The progress of a visit: whether it now waits for the site. */
type Stage = { readonly endsAt: number; isAtSite: boolean }

/** A timeout while waiting for the site is an error of the site; any other is one of the browser. */
function failureOf(error: unknown, { isAtSite }: Stage): SiteError | UpstreamError {
  if (error instanceof SiteError) return error
  const isUpstream = error instanceof UpstreamError
  if (isUpstream && error.failure === 'timeout' && isAtSite) return new SiteError('site_timeout', { cause: error })
  return isUpstream ? error : new UpstreamError('unavailable', 'the browser failed', { cause: error })
}

const contextOptions = (server: string, { username, password }: Pass, version: string): BrowserContextOptions => ({
  proxy: { server, username, password, bypass: '<-loopback>' },
  viewport: VIEWPORT,
  deviceScaleFactor: 1,
  locale: 'en-US',
  timezoneId: 'UTC',
  // Without "Headless" in it: some sites show other pages to robots.
  userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.')[0]}.0.0.0 Safari/537.36`,
  // Parked names often have a certificate for another name. A visit sends no secrets and trusts nothing it reads.
  ignoreHTTPSErrors: true,
  serviceWorkers: 'block',
  acceptDownloads: false,
  permissions: [],
})

async function closeContext(opening: Promise<BrowserContext>): Promise<void> {
  await unlessAborted(
    opening.then((context) => context.close()),
    AbortSignal.timeout(CLOSE_TIMEOUT_MS),
  )
}
