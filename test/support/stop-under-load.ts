import type { Socket } from 'node:net'
import { open, statusOf } from './wire.ts'

export type Outcome = { readonly answered: number; readonly dropped: number }

/**
 * A client that sends requests on one connection after another until the service accepts no more, and counts those without
 * an answer. `warm` resolves after `warmAfter` answers.
 */
export function sendUntilRefused(
  port: number,
  { path = '/health', warmAfter = 20 } = {},
): { readonly warm: Promise<void>; readonly done: Promise<Outcome> } {
  const warm = Promise.withResolvers<void>()
  const work = async (): Promise<Outcome> => {
    let answered = 0
    let dropped = 0
    for (;;) {
      let socket: Socket
      try {
        socket = await open(port)
      } catch {
        return { answered, dropped }
      }
      let heard = Promise.withResolvers<string>()
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => heard.resolve(chunk.toString()))
      socket.on('close', () => heard.resolve(''))
      for (;;) {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
        const text = await heard.promise
        if (text === '' || statusOf(text) !== 200) {
          dropped++
          break
        }
        answered++
        if (answered === warmAfter) warm.resolve()
        if (/\r\nConnection: close\r\n/.test(text)) break
        heard = Promise.withResolvers<string>()
      }
      socket.destroy()
    }
  }
  const done = work()
  void done.then(() => warm.resolve())
  return { warm: warm.promise, done }
}
