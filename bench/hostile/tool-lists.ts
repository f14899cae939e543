import { Agent, request } from 'node:http'
import type { Attack } from './attack.ts'
import { ATTACKER } from './connections.ts'

const CLIENTS = 8
/** The largest batch that is answered. */
const BATCH = 16

/** Batches of `tools/list`, as fast as eight connections can send them. */
export const attack: Attack = {
  name: `tool lists: batches of ${BATCH} in eight loops`,
  async start({ url }) {
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
    const messages = Array.from({ length: BATCH }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const body = JSON.stringify(messages)
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const stopped = new AbortController()
    const ask = () =>
      new Promise<void>((resolve) => {
        const sent = request(`${url}/mcp`, { method: 'POST', agent, headers, localAddress: ATTACKER }, (response) => {
          response.resume().once('close', () => resolve())
        })
        sent.once('error', () => resolve())
        sent.end(body)
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
