import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { get, sendRequest } from './victim.ts'

const LOOPS = 4
const ADDRESS = '198.51.100.7'
const LATENCY_MS = 4
const RETRY_AFTER_MS = 5_000

/** Four loops of the legacy check, which has no rate limit: each asks about a new name under all 511 TLDs. */
export const attack: Attack = {
  name: 'legacy checks in four loops from one address',
  internet: { latencyMs: LATENCY_MS, dns: { latencyMs: LATENCY_MS } },
  async start({ url }) {
    const stopped = new AbortController()
    const loop = async (id: number): Promise<void> => {
      for (let at = 0; !stopped.signal.aborted; at++) {
        const options = { headers: { 'x-forwarded-for': ADDRESS }, signal: stopped.signal }
        const reply = await sendRequest(`${url}/check?name=loop-${id}-${at}`, options).catch(() => undefined)
        // A loop that ignores Retry-After is a flood like that of any other path.
        if (reply?.status === 503) await sleep(RETRY_AFTER_MS)
      }
    }
    for (let id = 0; id < LOOPS; id++) void loop(id)
    return async () => stopped.abort()
  },
  victim: freshName,
  victimEveryMs: 200,
  victimRequests: 50,
}

let names = 0

/** A name that is not cached, from an address that has not used its rate limit. */
async function freshName({ url }: { readonly url: string }): Promise<void> {
  const at = names++
  await get(`${url}/v1/check?domain=victim-${at}.com`, `203.0.113.${at % 250}`)
}
