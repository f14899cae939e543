import { Agent, get } from 'node:http'
import type { Attack } from './attack.ts'
import { ATTACKER } from './connections.ts'

const CLIENTS = 8

/** The OpenAPI document without compression, as fast as eight connections can ask for it. */
export const attack: Attack = {
  name: 'documents: /openapi.json in eight loops',
  async start({ url }) {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    const stopped = new AbortController()
    const ask = () =>
      new Promise<void>((resolve) => {
        const request = get(`${url}/openapi.json`, { agent, localAddress: ATTACKER }, (response) => {
          response.resume().once('close', () => resolve())
        })
        request.once('error', () => resolve())
      })
    const loop = async () => {
      while (!stopped.signal.aborted) await ask()
    }
    for (let client = 0; client < CLIENTS; client++) void loop()
    return async () => {
      stopped.abort()
      agent.destroy()
    }
  },
}
