/** What a visitor of a name gets to see. */
export type Capture = {
  /** Where the visit ended, after all redirects. Never an address that is not public. */
  readonly finalUrl: string
  /** Every address of the main document on the way, the first one asked for included. */
  readonly hops: readonly string[]
  /** Of the last response for the main document. */
  readonly status: number
  /** The body of the first response that had one, as it came; cut where it is too long. */
  readonly firstBody: string
  /** The document as scripts left it; cut where it is too long. */
  readonly html: string
  readonly title: string
  /** What can be read on it, spaces joined; cut where it is too long. */
  readonly text: string
  /** Hosts of everything the page loaded or tried to load. */
  readonly hosts: readonly string[]
  /** JPEG. */
  readonly screenshot: Uint8Array
  readonly loadTimeMs: number
}

/** A real browser that visits names; no page it shows reaches anything but the public internet. */
export type Browser = {
  /** Whether another visit would be taken on now; told before any money is asked. */
  hasRoom(): boolean
  /** Starts the browser unless it runs. Throws UpstreamError if there is no browser or it does not start. */
  ready(signal: AbortSignal): Promise<void>
  /** Throws SiteError where the site shows nothing, UpstreamError where the browser fails, and the signal's reason. */
  visit(host: string, signal: AbortSignal): Promise<Capture>
  close(): Promise<void>
}
