import { setTimeout as sleep } from 'node:timers/promises'

/** Generous, because the machine may be busy with other tests. */
const LOADING_TIMEOUT_MS = 60_000
const POLL_INTERVAL_MS = 200

/** Resolves when the sandbox, which loads auctions and trademarks in the background, has all of them. */
export async function untilLoaded(url: string): Promise<void> {
  const signal = AbortSignal.timeout(LOADING_TIMEOUT_MS)
  const isLoaded = async () => {
    const [auctions, trademarks] = await Promise.all(
      ['/v1/auctions?limit=1', '/v1/trademark/search/status'].map(async (path) => (await fetch(url + path)).json()),
    )
    const { sources = {} } = (auctions as { meta?: { sources?: Record<string, { count: number }> } }).meta ?? {}
    const feeds = Object.values(sources)
    return (trademarks as { available?: boolean }).available === true && feeds.every(({ count }) => count > 0)
  }
  while (!(await isLoaded())) await sleep(POLL_INTERVAL_MS, undefined, { signal })
}
