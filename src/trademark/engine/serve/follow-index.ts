import type { Manifest } from '../manifest.ts'
import type { loadIndex } from './load.ts'
import type { LoadedIndex } from './messages.ts'

/** The index in memory that is searched. Each manifest that is found in the folder gets the next number. */
export type ServedIndex = { readonly manifest: Manifest; readonly number: number; readonly loaded: LoadedIndex }

type Options = {
  readonly load: typeof loadIndex
  /** Called when a newer index cannot be used and the previous one stays in use. */
  readonly onLoadError: (error: Error) => void
  /** Called when another index is served. */
  readonly onServe: (index: ServedIndex) => void
  /** Called when an asynchronous load has ended, with or without success. */
  readonly onLoadEnd: () => void
}

/** Loads the index that the manifest in the folder describes, beside the one that is served, and then serves it. */
export function followIndex(folder: string, manifest: () => Manifest | null, options: Options) {
  let published: { readonly manifest: Manifest | null; readonly number: number } = { manifest: null, number: 0 }
  let served: ServedIndex | null = null
  let loading: Promise<void> | null = null
  /** The index that could not be loaded; `number` is 0 if loading it should be tried again. */
  let failed: { readonly number: number; readonly error: Error } | null = null
  let isClosed = false

  /** Starts to load the index in the folder, unless it is loaded already. */
  function refresh(): void {
    if (isClosed) return
    try {
      const current = manifest()
      if (current !== published.manifest) published = { manifest: current, number: published.number + 1 }
      const { number } = published
      if (loading || !current || number === served?.number || number === failed?.number) return
      const found = options.load(folder, current, served?.loaded ?? null)
      if (!(found instanceof Promise)) return serve({ manifest: current, number, loaded: found })
      loading = found
        .then(
          (loaded) => serve({ manifest: current, number, loaded }),
          (error: Error) => fail(error, number),
        )
        .finally(() => {
          loading = null
          options.onLoadEnd()
        })
    } catch (error) {
      fail(error as Error, 0)
    }
  }

  function serve(newer: ServedIndex): void {
    served = newer
    failed = null
    options.onServe(newer)
  }

  function fail(error: Error, number: number): void {
    const isNewError = failed?.error.message !== error.message
    failed = { number, error }
    if (isNewError && served) options.onLoadError(error)
  }

  return {
    refresh,
    served: () => served,
    isLoading: () => loading !== null,
    error: () => failed?.error,
    /** The index that a search arriving now waits for. Equal snapshots, merged or not, give equal results. */
    newestNumber: () => (published.manifest?.snapshot === served?.manifest.snapshot ? 0 : published.number),
    /** The manifest of the index that is served, or that the first search will open. */
    current(): Manifest | null {
      if (!served) return manifest()
      refresh()
      return served.manifest
    },
    async ready(): Promise<void> {
      for (;;) {
        refresh()
        if (!loading) break
        await loading
      }
      const current = manifest()
      if (current && current !== served?.manifest) throw failed?.error ?? new Error('The trademark index is closed.')
    },
    /** Resolves once no load is under way. */
    async close(): Promise<void> {
      isClosed = true
      await loading
    },
  }
}
