import type { EngineId, OpenSourceId } from './contract.ts'

export type { OpenSourceId } from './contract.ts'

/** One search result. Untrusted text, but without markup, control characters and script links. */
export type Found = { readonly title: string; readonly url: string; readonly snippet: string }

/** Which open sources an engine has searched instead of the web. */
export type Coverage = {
  readonly answered: readonly OpenSourceId[]
  readonly failed: readonly { readonly source: OpenSourceId; readonly message: string }[]
}

export type Results = {
  /** Best first. */
  readonly found: readonly Found[]
  /** The engine's estimate of the total; null if it gives none. */
  readonly total: number | null
  /** Left out by an engine that searches the web. */
  readonly coverage?: Coverage
}

/** A search engine. Implementations are in `sources/`. */
export type SearchEngine = {
  readonly id: EngineId
  /**
   * Throws UpstreamError on failure; an empty list is a valid result. The signal ends the search; an engine that asks
   * several sources returns within `timeoutMs` what it has by then.
   */
  search(words: string, signal: AbortSignal, timeoutMs?: number): Promise<Results>
}
