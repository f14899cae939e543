import type { Log } from '../../kernel/log.ts'
import { checkPart, type Part } from '../readiness.ts'
import type { Config } from '../settings/config.ts'
import type { Registries } from './registries.ts'

/** Finds out at the start what this network lets through, so that the first client need not wait for it. */
export type NetworkCheck = {
  /** Runs in the background, and logs one line for each finding. */
  start(): void
  close(): void
}

type Needs = {
  readonly config: Pick<Config, 'sandbox'>
  readonly parts: readonly Part[]
  readonly registries: { readonly delegations: Pick<Registries['delegations'], 'assumeBlocked'> }
  readonly log: Pick<Log, 'info' | 'warn'>
}

/** The parts that say what this network lets through. */
const NETWORK_PARTS = new Set(['resolvers', 'name servers', 'https'])
const CHECK_TIMEOUT_MS = 6_000

export function createNetworkCheck({ config, parts, registries, log }: Needs): NetworkCheck {
  const closing = new AbortController()
  const { signal } = closing
  const check = async (part: Part): Promise<void> => {
    const state = await checkPart(part, CHECK_TIMEOUT_MS, signal)
    if (signal.aborted) return
    if (state.status === 'ok' && state.note !== undefined) log.info({ part: part.name }, state.note)
    if (state.status !== 'failed') return
    if (part.name === 'name servers') registries.delegations.assumeBlocked()
    log.warn({ part: part.name }, `${state.reason} ${state.advice}`)
  }
  return {
    start() {
      // In the sandbox there is nothing to find out.
      if (!config.sandbox) for (const part of parts) if (NETWORK_PARTS.has(part.name)) void check(part)
    },
    close: () => closing.abort(new Error('the service is closed')),
  }
}
