import type { EngineId } from './contract.ts'

/** One search result. Untrusted text, but without markup, control characters and script links. */
export type Found = { readonly title: string; readonly url: string; readonly snippet: string }

export type Results = {
  /** Best first. */
  readonly found: readonly Found[]
  /** The engine's estimate of the total; null if it gives none. */
  readonly total: number | null
}

/** A web search engine. Implementations are in `sources/`. */
export type SearchEngine = {
  readonly id: EngineId
  /** Throws UpstreamError on failure; an empty list is a valid result. */
  search(words: string, signal: AbortSignal): Promise<Results>
}
