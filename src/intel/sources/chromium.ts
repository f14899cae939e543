import { availableParallelism } from 'node:os'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { Clock } from '../../kernel/clock.ts'
import { unlessAborted, withDeadline } from '../../kernel/deadline.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import { reasonsOf } from '../../kernel/failing.ts'
import { createLimit } from '../../kernel/limit.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { Browser, Capture } from '../browser.ts'
import { SiteError } from '../site-error.ts'
import { capture, findDoor, type Pace, type Visit } from './chromium/capture.ts'
import { createPrograms } from './chromium/programs.ts'
import type { Rules } from './egress/destination.ts'
import type { Pass, PassLimits } from './egress/pass.ts'
import { startEgress } from './egress/proxy.ts'

type Needs = Pick<Rules, 'resolve' | 'reach'> & {
  /** Path of a Chromium; null where the machine has none. */
  readonly program: string | null
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly options?: Partial<Options>
}

type Options = Pace &
  PassLimits & {
    /** Captures at the same time; more than there are cores only makes each slower. */
    readonly concurrent: number
    /** Captures that may wait for their turn. */
    readonly queue: number
    /** Of one visit, waiting included. */
    readonly deadlineMs: number
    /** A browser is replaced after so many captures, before what it leaks adds up. */
    readonly recycleAfter: number
    /** Memory of all its processes at which a browser is ended, whatever it is doing. */
    readonly maxMegabytes: number
    /** The browser's own walls; off only for root, who cannot have them. */
    readonly sandbox: boolean
    /** Whether the browser lets everything else on the machine go first. */
    readonly givesWay: boolean
    readonly ports: readonly number[]
  }

const DEFAULTS: Omit<Options, 'concurrent' | 'sandbox'> = {
  queue: 16,
  deadlineMs: 15_000,
  recycleAfter: 200,
  maxMegabytes: 2048,
  givesWay: true,
  quietMs: 300,
  settleMs: 2500,
  pictureMs: 3500,
  maxBytes: 20 * 1024 * 1024,
  maxOpen: 64,
  maxConnections: 400,
  ports: [80, 443],
}

const VIEWPORT = { width: 1280, height: 800 }
/** A context that takes longer to close has a browser that is beyond help. */
const CLOSE_MS = 3000

/** How long a start may take before somebody who waits for it is told that there is no browser. */
const READY_TIMEOUT_MS = 20_000

export async function createChromium({
  program,
  resolve,
  reach,
  clock,
  random,
  log,
  options,
}: Needs): Promise<Browser> {
  const defaults = { ...DEFAULTS, concurrent: availableParallelism(), sandbox: process.getuid?.() !== 0 }
  const settings: Options = { ...defaults, ...options }
  const { concurrent, queue, deadlineMs } = settings
  const limit = createLimit({ name: 'the browser', concurrent, queue })
  const egress = await startEgress({ random, resolve, reach, ports: settings.ports })
  const programs = createPrograms({ path: program, proxyUrl: egress.url, clock, log, ...settings })

  const look = async (host: string, stage: Stage, signal: AbortSignal): Promise<Capture> => {
    const pass = egress.admit(settings)
    try {
      stage.isAtSite = true
      const schemes = await unlessAborted(findDoor(host, pass), signal)
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
      // First what it talks to: a page may not use its last moments.
      pass.close()
      await closeSoon(opening).catch(() => lease.kill())
      lease.giveBack()
    }
  }

  return {
    hasRoom: () => limit.active < concurrent || limit.waiting < queue,
    ready: (signal) => withDeadline({ who: 'the browser', ms: READY_TIMEOUT_MS, signal }, (own) => programs.ready(own)),
    async visit(host, signal) {
      const stage: Stage = { endsAt: clock.monotonic() + deadlineMs, isAtSite: false }
      try {
        return await withDeadline({ who: 'the browser', ms: deadlineMs, signal }, (own) =>
          limit.run(() => look(host, stage, own), own),
        )
      } catch (error) {
        signal.throwIfAborted()
        const failure = failureOf(error, stage)
        if (failure instanceof SiteError) log.debug({ host, error: failure }, 'a site showed no page')
        else log.warn({ reason: reasonsOf(failure) }, 'a page was not captured')
        throw failure
      }
    },
    async close() {
      await programs.close()
      await egress.close()
    },
  }
}

/** Where a visit has got to. */
type Stage = { readonly endsAt: number; isAtSite: boolean }

/** Who is to blame: a site that keeps its visitor waiting, or else the browser. */
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
  // What a visitor gets to see, not what is kept for robots.
  userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version.split('.')[0]}.0.0.0 Safari/537.36`,
  // Parked names often have somebody else's certificate. We only look, send no secret and believe nothing we read.
  ignoreHTTPSErrors: true,
  serviceWorkers: 'block',
  acceptDownloads: false,
  permissions: [],
})

async function closeSoon(opening: Promise<BrowserContext>): Promise<void> {
  await unlessAborted(
    opening.then((context) => context.close()),
    AbortSignal.timeout(CLOSE_MS),
  )
}
