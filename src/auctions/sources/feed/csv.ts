import { FeedError } from '../../auction-house.ts'

/** A record longer than this is a quote that was never closed. */
const LONGEST_RECORD = 1024 * 1024

/**
 * Reads CSV (RFC 4180: quotes, doubled quotes, line ends inside quotes, CRLF or LF) from pieces of text that may end
 * anywhere. Empty lines are left out. Throws FeedError where a quote is not closed.
 */
export function csvReader(delimiter: string) {
  let rest = ''

  function* read(isEnd: boolean): Generator<string[]> {
    let from = 0
    let quote = -2
    for (;;) {
      const newline = rest.indexOf('\n', from)
      if (newline === -1 && !isEnd) break
      const end = newline === -1 ? rest.length : newline
      if (from >= rest.length) break
      // Looked for once, and again only when it was passed: most texts have none at all.
      if (quote !== -1 && quote < from) quote = rest.indexOf('"', from)
      // Nearly every line has no quote: the platform splits it faster than any loop.
      if (quote === -1 || quote > end) {
        const line = rest.slice(from, rest[end - 1] === '\r' && end > from ? end - 1 : end)
        from = end + 1
        if (line !== '') yield line.split(delimiter)
        continue
      }
      const record = quotedRecord(rest, from, delimiter, isEnd)
      if (record === null) break
      from = record.next
      yield record.fields
    }
    rest = rest.slice(from)
    if (rest.length > LONGEST_RECORD) throw new FeedError('A record of the CSV is too long, or a quote is not closed.')
    if (isEnd && rest !== '') throw new FeedError('The CSV ends inside a quote.')
  }

  return {
    *push(text: string): Generator<string[]> {
      rest += text
      yield* read(false)
    },
    *end(): Generator<string[]> {
      yield* read(true)
    },
  }
}

/** The record that begins at `from`; null where its end has not come yet. */
function quotedRecord(text: string, from: number, delimiter: string, isEnd: boolean) {
  const fields: string[] = []
  let at = from
  for (;;) {
    let field = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        const close = text.indexOf('"', at)
        if (close === -1) return null
        field += text.slice(at, close)
        at = close + 1
        if (text[at] !== '"') break
        field += '"'
        at++
      }
    }
    // What stands behind a closing quote, or has quotes inside, is taken as it is.
    const comma = text.indexOf(delimiter, at)
    const newline = text.indexOf('\n', at)
    // Without the end of the line even a closing quote may turn out to be the first of two.
    if (newline === -1 && !isEnd) return null
    const lineEnd = newline === -1 ? text.length : newline
    const isLast = comma === -1 || comma > lineEnd
    const stop = isLast ? lineEnd : comma
    field += text.slice(at, isLast && text[stop - 1] === '\r' && stop > at ? stop - 1 : stop)
    fields.push(field)
    at = stop + 1
    if (isLast) return { fields, next: at }
  }
}
