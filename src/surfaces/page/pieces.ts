import type { Html } from './html.ts'

/** Waits for the first piece, so that a refusal is thrown before anything was sent. */
export async function begin(pieces: AsyncIterable<unknown>): Promise<AsyncIterable<unknown>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}

export async function* textOf(pieces: AsyncIterable<Html>): AsyncIterable<string> {
  for await (const { text } of pieces) yield text
}
