import type { Attack } from './attack.ts'
import { sendRequest } from './victim.ts'

const NAMES = 10_000
const EVERY_MS = 1_000
/** Within the default rate limit, if such a list counted as one request. */
const ADDRESS = '198.51.100.7'

/** As many names outside ASCII as the largest body allows, once a second: each is normalized and refused. */
export const attack: Attack = {
  name: 'lists of 10,000 non-ASCII names, one a second',
  async start({ url }) {
    const stopped = new AbortController()
    const send = (round: number) => {
      const domains = Array.from({ length: NAMES }, (_, at) => `bücher-${round}-${at}-münchen-größe-ñandú-ærø.example`)
      const body = JSON.stringify({ domains })
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'x-forwarded-for': ADDRESS }
      void sendRequest(`${url}/v1/check/bulk`, { method: 'POST', headers, body, signal: stopped.signal }).catch(
        () => {},
      )
    }
    let round = 0
    send(round++)
    const timer = setInterval(() => send(round++), EVERY_MS)
    return async () => {
      clearInterval(timer)
      stopped.abort()
    }
  },
}
