import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/** IANA's RDAP bootstrap file: TLDs and their servers. */
export type Bootstrap = { readonly services: readonly (readonly [readonly string[], readonly string[]])[] }

export const parseJsonFile = (path: string | undefined): unknown => JSON.parse(readFileSync(path!, 'utf8'))

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
