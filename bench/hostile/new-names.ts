import { sendRequest } from './victim.ts'

type Options = {
  readonly url: string
  readonly tlds: readonly string[]
  readonly loops: number
  readonly pauseMs: number
}

/** Clients that check one new name after the other, each from an address of its own that changes before its rate limit. */
export function checkNewNames({ url, tlds, loops, pauseMs }: Options): () => Promise<void> {
  const stopped = new AbortController()
  const loop = async (number: number): Promise<void> => {
    for (let round = 0; !stopped.signal.aborted; round++) {
      const address = `198.51.${number}.${Math.floor(round / 50) % 250}`
      const domain = `bad-day-${number}-${round}.${tlds[round % tlds.length]}`
      const headers = { 'x-forwarded-for': address }
      await sendRequest(`${url}/v1/check?domain=${domain}`, { headers, signal: stopped.signal }).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
  const running = Promise.all(Array.from({ length: loops }, (_, number) => loop(number)))
  return async () => {
    stopped.abort()
    await running
  }
}
