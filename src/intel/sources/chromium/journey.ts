import type { Page, Request } from 'playwright-core'

/** Network events of a page while it loads, observed from outside: scripts of the page cannot change them. */
export type Journey = {
  /** URLs of the main document, in order. */
  readonly hops: readonly string[]
  /** Hosts of all requests of the page. */
  readonly hosts: ReadonlySet<string>
  /** Status of the last response for the main document; 0 before there is one. */
  readonly status: number
  /** Discards everything recorded so far. */
  restart(): void
  /** Resolves once the document is loaded and there was no network activity for `quietMs`. */
  untilQuiet(quietMs: number, signal: AbortSignal): Promise<void>
  /** Resolves when the document is loaded. */
  untilLoaded(signal: AbortSignal): Promise<void>
}

/** After more redirects, the page is captured as it is. */
const MAX_HOPS = 30
const MAX_HOSTS = 300

export function followJourney(page: Page): Journey {
  const hops: string[] = []
  const hosts = new Set<string>()
  const inFlight = new Set<Request>()
  let status = 0
  let loaded = false
  let changed = () => {}

  const isMain = (request: Request) => {
    // `frame()` throws if the frame is gone.
    try {
      return request.isNavigationRequest() && request.frame() === page.mainFrame()
    } catch {
      return false
    }
  }
  page.on('request', (request) => {
    const host = hostOf(request.url())
    if (host !== null && hosts.size < MAX_HOSTS) hosts.add(host)
    if (isMain(request)) {
      loaded = false
      if (hops.length < MAX_HOPS) hops.push(request.url())
    }
    inFlight.add(request)
    changed()
  })
  page.on('response', (response) => {
    if (isMain(response.request())) status = response.status()
  })
  const done = (request: Request) => {
    inFlight.delete(request)
    changed()
  }
  page.on('requestfinished', done)
  page.on('requestfailed', done)
  page.on('load', () => {
    loaded = true
    changed()
  })

  /** Waits until `isDone` has been true for `quietMs` without any change. */
  const until = (isDone: () => boolean, quietMs: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const leave = (how: () => void) => {
        clearTimeout(timer)
        changed = () => {}
        signal.removeEventListener('abort', giveUp)
        how()
      }
      const giveUp = () => leave(() => reject(signal.reason))
      if (signal.aborted) return giveUp()
      signal.addEventListener('abort', giveUp)
      changed = () => {
        clearTimeout(timer)
        if (isDone()) timer = setTimeout(() => leave(resolve), quietMs)
      }
      changed()
    })

  return {
    hops,
    hosts,
    get status() {
      return status
    },
    restart() {
      hops.length = 0
      inFlight.clear()
      status = 0
      loaded = false
    },
    untilLoaded: (signal) => until(() => loaded || hops.length >= MAX_HOPS, 0, signal),
    untilQuiet: (quietMs, signal) =>
      until(() => hops.length >= MAX_HOPS || (loaded && inFlight.size === 0), quietMs, signal),
  }
}

function hostOf(url: string): string | null {
  const parsed = URL.parse(url)
  return parsed !== null && /^(https?|wss?):$/.test(parsed.protocol) && parsed.hostname !== '' ? parsed.hostname : null
}
