import type * as z from 'zod'
import type { Upstream } from '../../../kernel/upstream/client.ts'
import type { Found, OpenSourceId } from '../../search-engine.ts'
import { parseResults } from '../results.ts'

/** One open source of names. Throws UpstreamError if it cannot tell; an empty list is a valid result. */
export type OpenSource = {
  readonly id: OpenSourceId
  find(words: string, signal: AbortSignal): Promise<readonly Found[]>
}

/** How the services are reached. */
export type OpenServices = {
  readonly upstream: Upstream
  /** Names the operator, as these services ask of every program. */
  readonly userAgent: string
  /** Asked for `/<host><path>` instead of the hosts themselves; null to ask them directly. */
  readonly gateway: string | null
}

export const openUrl = ({ gateway }: OpenServices, host: string, path: string): URL =>
  new URL(gateway === null ? `https://${host}${path}` : `${gateway.replace(/\/+$/, '')}/${host}${path}`)

/** Parses each entry; invalid ones are skipped. */
export const entriesOf = <T>(schema: z.ZodType<T>, list: readonly unknown[]): T[] =>
  list.flatMap((entry) => {
    const parsed = schema.safeParse(entry)
    return parsed.success ? [parsed.data] : []
  })

/** Text of others without markup and control characters, and only links that are safe to return. */
export const cleanFound = (found: readonly Found[]): Found[] =>
  parseResults(found, { title: 'title', url: 'url', snippet: 'snippet' })
