import type { EngineId } from './contract.ts'

/** One line of a page of results: words of strangers, but free of mark-up, control characters and script links. */
export type Found = { readonly title: string; readonly url: string; readonly snippet: string }

export type Results = {
  /** Best first. */
  readonly found: readonly Found[]
  /** How many there are, by the engine's own guess; null where it does not guess. */
  readonly total: number | null
}

/** A search engine of the web. Implementations live in `sources/`. */
export type SearchEngine = {
  readonly id: EngineId
  /** Throws UpstreamError when it cannot tell; nothing found is an answer. */
  search(words: string, signal: AbortSignal): Promise<Results>
}
