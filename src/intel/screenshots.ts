/** Where screenshots are kept. An id cannot be guessed, not even by who knows the picture. Implementations live in `sources/`. */
export type Screenshots = {
  /** Keeps a JPEG and tells its id. Throws UpstreamError where that cannot be done. */
  put(jpeg: Uint8Array, signal: AbortSignal): Promise<string>
  /** Null if the id is unknown or its screenshot was removed. */
  get(id: string, signal: AbortSignal): Promise<Uint8Array | null>
  /** Takes away what is too old, and the oldest of what is too much. */
  sweep(): Promise<void>
}
