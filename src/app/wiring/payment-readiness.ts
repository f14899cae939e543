import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { sleep } from '../../kernel/sleep.ts'
import { startReadiness } from '../../payments/readiness.ts'
import type { WhyNotReady } from '../../payments/scheme-readiness.ts'
import type { Scheme } from '../../payments/scheme.ts'
import { ConfigError } from '../settings/config.ts'
import type { LedgerSlot } from './payment-ledger.ts'

/** How long after the start a paid request waits for the first checks. The start itself does not wait for them. */
const FIRST_CHECK_TIMEOUT_MS = 1_000

export type Live = {
  /** Resolves when every part was checked once, or a second after the start. */
  readonly checked: Promise<void>
  /** Why a scheme or the ledger cannot be used at the moment; undefined if it can. */
  whyNotReady(part: Scheme['id'] | 'ledger'): ReturnType<WhyNotReady>
}

type SchemeChecks = {
  /** What is wrong with its settings. */
  checkSettings(): readonly string[]
  /** What keeps it from working at the moment. */
  check(): Promise<readonly string[]>
}

type Needs = {
  readonly ledger: LedgerSlot
  readonly x402: SchemeChecks | undefined
  readonly mpp: SchemeChecks | undefined
  readonly clock: Clock
  readonly log: Log
  readonly wait?: typeof sleep | undefined
  readonly ending: AbortSignal
}

/** Refuses wrong settings, then checks what they name, and keeps checking what cannot be used yet. */
export function startLive({ ledger, x402, mpp, ending, clock, log, wait = sleep }: Needs): Live {
  const wrong = [...(x402?.checkSettings() ?? []), ...(mpp?.checkSettings() ?? [])]
  if (wrong.length > 0) throw new ConfigError(['The settings for real payments are wrong:', ...wrong])
  const readiness = startReadiness({
    parts: [
      { id: 'ledger', check: () => ledger.open() },
      ...(x402 ? [{ id: 'x402', check: x402.check } as const] : []),
      ...(mpp ? [{ id: 'mpp', check: mpp.check } as const] : []),
    ],
    clock,
    wait,
    log,
    signal: ending,
  })
  const firstCheckEnded = new AbortController()
  void readiness.firstCheck.then(() => firstCheckEnded.abort())
  const patience = AbortSignal.any([firstCheckEnded.signal, ending])
  return {
    checked: wait(FIRST_CHECK_TIMEOUT_MS, patience).catch(() => {}),
    whyNotReady(part) {
      const problems = readiness.problems(part)
      if (problems.length === 0) return undefined
      return { reason: `${PART_NAMES[part]}: ${problems.join(' ')}`, retryAfterSeconds: readiness.retryAfterSeconds() }
    },
  }
}

export const PART_NAMES = { ledger: 'Payment ledger', x402: 'x402', mpp: 'MPP' } as const
