import type { Socket } from 'node:net'

/** Everything received until the connection closed, with or without an error. */
export function readAll(socket: Socket): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  socket.on('error', () => {}).once('close', () => resolve(text))
  return promise
}

export async function until(condition: () => boolean, signal: AbortSignal): Promise<void> {
  while (!condition()) {
    signal.throwIfAborted()
    await new Promise(setImmediate)
  }
}
