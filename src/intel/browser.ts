/** One page as a visitor sees it. */
export type Capture = {
  /** The URL after all redirects. Never one with a non-public address. */
  readonly finalUrl: string
  /** Every URL of the main document, from the first request to the last redirect. */
  readonly hops: readonly string[]
  /** Status of the last response for the main document. */
  readonly status: number
  /** The body of the first response that had one, before scripts ran; truncated. */
  readonly firstBody: string
  /** The document after scripts ran; truncated. */
  readonly html: string
  readonly title: string
  /** The visible text with spaces collapsed; truncated. */
  readonly text: string
  /** Hosts the page loaded from or tried to load from. */
  readonly hosts: readonly string[]
  /** JPEG. */
  readonly screenshot: Uint8Array
  readonly loadTimeMs: number
}

/** A real browser. Pages can connect to the public internet only. */
export type Browser = {
  /** Whether the queue has room for another visit; checked before payment is requested. */
  hasRoom(): boolean
  /** Starts the browser unless it runs. Throws UpstreamError if there is no browser or it does not start. */
  ready(signal: AbortSignal): Promise<void>
  /** Throws SiteError if the site shows no page, UpstreamError if the browser fails, and the signal's reason if aborted. */
  visit(host: string, signal: AbortSignal): Promise<Capture>
  close(): Promise<void>
}
