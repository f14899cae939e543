import type { z } from 'zod'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { DomainName } from '../kernel/names.ts'
import type { Browser, Capture } from './browser.ts'
import type { Intel } from './contract.ts'
import { detectParking } from './detection.ts'
import type { ParkingEvidence } from './parking.ts'
import type { Screenshots } from './screenshots.ts'
import { SiteError } from './site-error.ts'
import { type Standing, UNKNOWN } from './standing.ts'

type Needs = {
  readonly browser: Browser
  readonly screenshots: Screenshots
  readonly standingOf: (domain: DomainName, signal: AbortSignal) => Promise<Standing>
  /** Its name servers and addresses; both empty where they cannot be found out. */
  readonly hostingOf: (
    domain: DomainName,
    signal: AbortSignal,
  ) => Promise<Pick<ParkingEvidence, 'nameservers' | 'addresses'>>
  /** The address of a screenshot. */
  readonly urlOf: (id: string) => string
  readonly log: Log
}

type Answer = z.input<typeof Intel>

/** About the time of a visit. */
const RETRY_SECONDS = 5
const START_RETRY_SECONDS = 30

export type IntelService = ReturnType<typeof createIntel>

export function createIntel({ browser, screenshots, standingOf, hostingOf, urlOf, log }: Needs) {
  /** The verdict is worth something without a picture. */
  async function keep(jpeg: Uint8Array, signal: AbortSignal): Promise<string | null> {
    try {
      return await screenshots.put(jpeg, signal)
    } catch (error) {
      signal.throwIfAborted()
      log.warn({ error }, 'A screenshot could not be kept.')
      return null
    }
  }

  function mustHaveRoom(): void {
    if (browser.hasRoom()) return
    throw unavailable('The browser has more to do than it can; ask again in a moment.', RETRY_SECONDS)
  }

  async function mustHaveBrowser(signal: AbortSignal): Promise<void> {
    try {
      await browser.ready(signal)
    } catch (cause) {
      if (!(cause instanceof UpstreamError)) throw cause
      if (cause.failure === 'not_configured') throw unavailable('There is no browser here to look at pages.', 0, cause)
      throw unavailable('The browser does not start; ask again later.', START_RETRY_SECONDS, cause)
    }
  }

  /** The page, or the word for why there is none. */
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

  async function look(domain: DomainName, signal: AbortSignal): Promise<Answer> {
    // Others may have come first while the payment was checked. This caller is not charged either.
    mustHaveRoom()
    const [capture, hosting] = await Promise.all([visit(domain, signal), hostingOf(domain, signal)])
    if (typeof capture === 'string') return { domain, available: false, parked: false, error: capture }
    const { parked, confidence, signals } = detectParking({ host: domain, capture, ...hosting })
    const id = await keep(capture.screenshot, signal)
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
     * Asks the registry, and whether a page could be looked at, before any money is asked; throws
     * `invalid_domain` for a TLD that is not supported, `service_unavailable` where an answer would say nothing. Returns the rest: the visit.
     */
    async prepare(domain: DomainName, signal: AbortSignal): Promise<(signal: AbortSignal) => Promise<Answer>> {
      const standing = await standingOf(domain, signal)
      if (standing.state === 'unsupported') throw new ApiError('invalid_domain', `domain: ${standing.problem}`)
      if (standing.state === 'unknown') {
        const { why, retrySeconds } = UNKNOWN[standing.reason]
        const cause = new UpstreamError('unavailable', why)
        throw unavailable(`Whether ${domain} is registered cannot be said: ${why}.`, retrySeconds, cause)
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
