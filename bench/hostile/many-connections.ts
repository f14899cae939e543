import type { Attack } from './attack.ts'
import { keepConnections } from './connections.ts'

/** As many connections as the service accepts in total, opened again as soon as they are closed; none sends a request. */
export const attack: Attack = {
  name: '10,100 silent connections of one address',
  async start({ url }) {
    return keepConnections(url, { connections: 10_100, perSecond: 2_000 }, () => {})
  },
}
