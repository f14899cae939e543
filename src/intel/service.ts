import type * as z from 'zod'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import { nextTurn } from '../kernel/event-loop.ts'
import type { Log } from '../kernel/log.ts'
import type { DomainName } from '../kernel/names.ts'
import type { Browser, Capture } from './browser.ts'
import type { Intel } from './contract.ts'
import type { ParkingEvidence } from './parking.ts'
import type { Screenshots } from './screenshots.ts'
import { SiteError } from './site-error.ts'
import { type Standing, UNKNOWN } from './standing.ts'

type Needs = {
  readonly browser: Browser
  readonly screenshots: Screenshots
  /** `client` is who asks, for the turn at the registry. */
  readonly standingOf: (domain: DomainName, signal: AbortSignal, client: string) => Promise<Standing>
  /** Its name servers and addresses; both empty if the lookup fails. */
  readonly hostingOf: (
    domain: DomainName,
    signal: AbortSignal,
  ) => Promise<Pick<ParkingEvidence, 'nameservers' | 'addresses'>>
  /** The URL of a screenshot. */
  readonly urlOf: (id: string) => string
  readonly log: Log
  /** Told about every page that was visited. */
  readonly onVisit?: (page: VisitedPage) => void
}

export type VisitedPage = {
  readonly domain: DomainName
  /** After redirects. */
  readonly url: string
  /** As in the response. */
  readonly signals: readonly string[]
}

type IntelResponse = z.input<typeof Intel>

/** About the duration of a visit. */
const QUEUE_RETRY_SECONDS = 5
const START_RETRY_SECONDS = 30

export type IntelService = ReturnType<typeof createIntel>

export function createIntel({ browser, screenshots, standingOf, hostingOf, urlOf, log, onVisit }: Needs) {
  /** Null on failure: the verdict is returned even without a screenshot. */
  async function storeScreenshot(jpeg: Uint8Array, signal: AbortSignal): Promise<string | null> {
    try {
      return await screenshots.put(jpeg, signal)
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ error }, 'A screenshot could not be stored.')
      return null
    }
  }

  function mustHaveRoom(): void {
    if (browser.hasRoom()) return
    throw unavailable('The browser queue is full; retry in a few seconds.', QUEUE_RETRY_SECONDS)
  }

  async function mustHaveBrowser(signal: AbortSignal): Promise<void> {
    try {
      await browser.ready(signal)
    } catch (cause) {
      if (!(cause instanceof UpstreamError)) throw cause
      if (cause.failure === 'not_configured')
        throw unavailable(
          'There is no browser on this server; its operator can install one with `onoma browser install`.',
          0,
          cause,
        )
      throw unavailable('The browser does not start; retry later.', START_RETRY_SECONDS, cause)
    }
  }

  /** The captured page, or the error code if it could not be loaded. */
  async function visit(domain: DomainName, signal: AbortSignal): Promise<Capture | string> {
    try {
      return await browser.visit(domain, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SiteError) return error.problem
      if (error instanceof UpstreamError) return 'screenshot_service_unavailable'
      throw error
    }
  }

  async function look(domain: DomainName, signal: AbortSignal): Promise<IntelResponse> {
    // The queue may have filled up while the payment was verified. An error here is not charged.
    mustHaveRoom()
    const [capture, hosting, { detectParking }, { parsePagesInSteps }] = await Promise.all([
      visit(domain, signal),
      hostingOf(domain, signal),
      // With its phrases in many languages, loaded at the first visit: most services never make one.
      import('./detection.ts'),
      import('./signals.ts'),
    ])
    if (typeof capture === 'string') return { domain, available: false, parked: false, error: capture }
    const { parked, confidence, signals } = detectParking(
      { host: domain, capture, ...hosting },
      await parsePagesInSteps(capture, nextTurn),
    )
    onVisit?.({ domain, url: capture.finalUrl, signals })
    const id = await storeScreenshot(capture.screenshot, signal)
    return {
      domain,
      available: false,
      parked,
      parked_confidence: Math.round(confidence * 1000) / 1000,
      parked_signals: [...signals],
      ...(id !== null && { screenshot_url: urlOf(id) }),
      final_url: capture.finalUrl,
      load_time_ms: Math.round(capture.loadTimeMs),
    }
  }

  return {
    /**
     * Checks the registration and the browser before payment is requested. Throws `invalid_domain` for an unsupported TLD,
     * `service_unavailable` if either check fails; otherwise returns the visit as a function to run after payment.
     */
    async prepare(
      domain: DomainName,
      signal: AbortSignal,
      client: string,
    ): Promise<(signal: AbortSignal) => Promise<IntelResponse>> {
      const standing = await standingOf(domain, signal, client)
      if (standing.state === 'unsupported') throw new ApiError('invalid_domain', `domain: ${standing.problem}`)
      if (standing.state === 'unknown') {
        const { why, retrySeconds } = UNKNOWN[standing.reason]
        const cause = new UpstreamError('unavailable', why)
        throw unavailable(`The registration of ${domain} could not be checked: ${why}.`, retrySeconds, cause)
      }
      if (standing.state === 'available') return async () => ({ domain, available: true, parked: false })
      mustHaveRoom()
      await mustHaveBrowser(signal)
      return (own) => look(domain, own)
    },
  }
}

const unavailable = (sentence: string, retrySeconds = 0, cause?: unknown): ApiError =>
  new ApiError('service_unavailable', sentence, {
    cause,
    headers: retrySeconds > 0 ? { 'Retry-After': String(retrySeconds) } : {},
  })
