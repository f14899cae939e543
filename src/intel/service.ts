import type { z } from 'zod'
import { ApiError } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import type { DomainName } from '../kernel/names.ts'
import type { Browser } from './browser.ts'
import type { Intel } from './contract.ts'
import { detectParking } from './detection.ts'
import type { ParkingEvidence } from './parking.ts'
import type { Screenshots } from './screenshots.ts'

type Needs = {
  readonly browser: Browser
  readonly screenshots: Screenshots
  /** True only on the word of the registry. */
  readonly isAvailable: (domain: DomainName, signal: AbortSignal) => Promise<boolean>
  /** Its name servers and addresses; both empty where they cannot be found out. */
  readonly hostingOf: (
    domain: DomainName,
    signal: AbortSignal,
  ) => Promise<Pick<ParkingEvidence, 'nameservers' | 'addresses'>>
  /** The address of a screenshot. */
  readonly urlOf: (id: string) => string
  readonly log: Log
}

/** About the time of a visit. */
const RETRY_SECONDS = 5

export type IntelService = ReturnType<typeof createIntel>

export function createIntel({ browser, screenshots, isAvailable, hostingOf, urlOf, log }: Needs) {
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
    throw new ApiError('service_unavailable', 'The browser has more to do than it can; ask again in a moment.', {
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    })
  }

  return {
    /** Throws where another visit would have to wait too long. Asked before any money is. */
    mustHaveRoom,
    async look(domain: DomainName, signal: AbortSignal): Promise<z.input<typeof Intel>> {
      if (await isAvailable(domain, signal)) return { domain, available: true, parked: false }
      // Others may have come first while the registry was asked: who is told so now has not paid either.
      mustHaveRoom()
      const [capture, hosting] = await Promise.all([browser.visit(domain, signal), hostingOf(domain, signal)])
      if (!capture) return { domain, available: false, parked: false, error: 'screenshot_service_unavailable' }
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
    },
  }
}
