import type { Values } from './providers.ts'

/** What one client may use, and how long a stop takes. */
export type LimitSettings = {
  /** Documents, screenshots and MCP messages other than tool calls, per minute and client address; null for no limit. */
  readonly documentRateLimit: number | null
  readonly maxConnectionsPerClient: number
  /** How long requests are still answered after SIGTERM. */
  readonly drainSeconds: number
}

export const limitSettings = (values: Values): LimitSettings =>
  Object.freeze({
    documentRateLimit: values.ONOMA_DOCUMENT_RATE_LIMIT,
    maxConnectionsPerClient: values.ONOMA_MAX_CONNECTIONS_PER_CLIENT,
    drainSeconds: values.ONOMA_DRAIN_SECONDS,
  })
