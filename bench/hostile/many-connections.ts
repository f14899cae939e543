import type { Attack } from './attack.ts'
import { keepConnections } from './connections.ts'

/** As many connections as the service accepts in total, 100 a second opened again; none sends a request. */
export const attack: Attack = {
  name: '10,100 silent connections of one address',
  async start({ url }) {
    return keepConnections(url, () => {})
  },
}
