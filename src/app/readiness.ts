import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import { withTimeout } from '../kernel/timeout.ts'

/** A part of the service that can fail while the rest works. */
export type Part = {
  readonly name: string
  /** Whether the service is not ready while it fails. */
  readonly isRequired: boolean
  /** Set if the check asks an upstream: `GET /ready` does not wait for it, and reports what it found the last time. */
  readonly isSlow?: boolean
  check(signal: AbortSignal): PartState | Promise<PartState>
}

export type PartState =
  /** `note` is for the operator. */
  | { readonly status: 'ok'; readonly note?: string }
  /** Not configured, which is no failure. */
  | { readonly status: 'off'; readonly reason: string }
  /** `advice` is for the operator. */
  | { readonly status: 'failed'; readonly reason: string; readonly advice: string }

type PublicState = {
  readonly status: 'ok' | 'off' | 'failed' | 'degraded' | 'unknown'
  readonly reason?: string
}

export type ReadinessReport = {
  readonly status: 'ready' | 'not_ready'
  readonly parts: Readonly<Record<string, PublicState>>
}

/** Load balancers ask every second or so. */
const TTL_MS = 5_000
const SLOW_TTL_MS = 30_000
/** A part may only have been starting, and a load balancer waits for it. */
const FAILED_TTL_MS = 1_000
/** `GET /ready` answers within a second. */
const CHECK_TIMEOUT_MS = 800
const SLOW_CHECK_TIMEOUT_MS = 5_000
/** A check that is late says nothing about the part until it stays so: the machine may only be busy. */
const MAX_LATE_MS = 15_000

type Known = {
  checkedAt: number
  state: PublicState
  isRunning: boolean
  /** Since when checks have been too late; null if the last one was in time. */
  lateSince: number | null
}

/** Reports the state of the parts; checks each at most every few seconds. */
export function createReadiness(
  parts: readonly Part[],
  clock: Pick<Clock, 'monotonic'>,
): () => Promise<ReadinessReport> {
  const known = new Map<Part, Known>(
    parts.map((part) => [
      part,
      { checkedAt: -Infinity, state: { status: 'unknown' }, isRunning: false, lateSince: null },
    ]),
  )

  const update = async (part: Part, now: Known): Promise<void> => {
    now.isRunning = true
    try {
      now.state = publicState(part, await runCheck(part, part.isSlow ? SLOW_CHECK_TIMEOUT_MS : CHECK_TIMEOUT_MS))
      now.lateSince = null
    } catch (error) {
      if (error instanceof UpstreamError) {
        now.lateSince ??= clock.monotonic()
        if (clock.monotonic() - now.lateSince < MAX_LATE_MS) return
      }
      now.state = publicState(part, failureOf(error))
    } finally {
      now.isRunning = false
    }
    now.checkedAt = clock.monotonic()
  }

  const refresh = async (part: Part): Promise<void> => {
    const now = known.get(part)!
    const ttlMs = part.isSlow ? SLOW_TTL_MS : now.state.status === 'failed' ? FAILED_TTL_MS : TTL_MS
    const isFresh = clock.monotonic() - now.checkedAt < ttlMs
    if (isFresh || now.isRunning) return
    const updated = update(part, now)
    if (!part.isSlow) await updated
  }

  return async () => {
    await Promise.all(parts.map(refresh))
    const states = parts.map((part) => [part.name, known.get(part)!.state] as const)
    const isReady = states.every(([, { status }]) => status !== 'failed')
    return { status: isReady ? 'ready' : 'not_ready', parts: Object.fromEntries(states) }
  }
}

/** Never throws: a check that fails or takes too long is a failed part. */
export async function checkPart(part: Part, timeoutMs: number, signal?: AbortSignal): Promise<PartState> {
  try {
    return await runCheck(part, timeoutMs, signal)
  } catch (error) {
    return failureOf(error)
  }
}

/** Throws UpstreamError if the check takes too long. */
const runCheck = ({ name, check }: Part, timeoutMs: number, signal?: AbortSignal): Promise<PartState> =>
  withTimeout({ who: name, timeoutMs, signal }, async (own) => check(own))

function failureOf(error: unknown): PartState {
  const reason = error instanceof Error ? error.message : String(error)
  return { status: 'failed', reason: `The check failed: ${reason}.`, advice: 'The log of the service may say more.' }
}

/** Note and advice are for the operator only; a part that is not required is `degraded` instead of `failed`. */
function publicState({ isRequired }: Part, state: PartState): PublicState {
  if (state.status === 'ok') return { status: 'ok' }
  const status = state.status === 'failed' && !isRequired ? 'degraded' : state.status
  return { status, reason: state.reason }
}
