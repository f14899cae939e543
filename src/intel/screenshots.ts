/** Storage for screenshots. Ids cannot be guessed, even with the image at hand. Implementations are in `sources/`. */
export type Screenshots = {
  /** Stores a JPEG and returns its id. Throws UpstreamError on failure. */
  put(jpeg: Uint8Array, signal: AbortSignal): Promise<string>
  /** Null if the id is unknown or its screenshot was removed. */
  get(id: string, signal: AbortSignal): Promise<Uint8Array | null>
  /** Removes expired screenshots, then the oldest ones until the rest fits the size limit. */
  sweep(): Promise<void>
}
