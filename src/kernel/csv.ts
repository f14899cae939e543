/** The text is not valid CSV. The message may be shown to the owner of the file. */
export class CsvError extends Error {}

/** One record, and the line it starts on; the first line is 1. */
export type CsvRecord = { readonly line: number; readonly fields: string[] }

/** In characters. A longer record is taken for a quote that was never closed. */
const MAX_RECORD_LENGTH = 256 * 1024

/**
 * Parses CSV (RFC 4180: quotes, doubled quotes, line ends inside quotes, CRLF or LF) from chunks of text that may end
 * anywhere. Empty lines are skipped, but counted. Throws CsvError if a quote is not closed.
 */
export function createCsvParser(delimiter = ',') {
  let rest = ''
  let line = 1

  function* parse(isEnd: boolean): Generator<CsvRecord> {
    let from = 0
    while (from < rest.length) {
      const newline = rest.indexOf('\n', from)
      if (newline === -1 && !isEnd) break
      const end = newline === -1 ? rest.length : newline
      const text = rest.slice(from, end)
      if (!text.includes('"')) {
        // Nearly every line has no quote, and `split` is faster than a loop.
        const plain = text.endsWith('\r') ? text.slice(0, -1) : text
        from = end + 1
        if (plain !== '') yield { line, fields: plain.split(delimiter) }
        line++
        continue
      }
      const record = parseQuotedRecord(rest, from, delimiter, isEnd)
      if (record === null) break
      yield { line, fields: record.fields }
      line += countLines(rest, from, record.next)
      from = record.next
    }
    rest = rest.slice(from)
    if (rest.length > MAX_RECORD_LENGTH)
      throw new CsvError(`The record that starts in line ${line} is too long, or a quote in it is not closed.`)
    if (isEnd && rest !== '') throw new CsvError(`The quote that was opened in line ${line} is not closed.`)
  }

  return {
    *push(text: string): Generator<CsvRecord> {
      rest += text
      yield* parse(false)
    },
    *end(): Generator<CsvRecord> {
      yield* parse(true)
    },
  }
}

/** The records of a whole text. */
export function* parseCsv(text: string): Generator<CsvRecord> {
  const parser = createCsvParser()
  yield* parser.push(text)
  yield* parser.end()
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** The record that starts at `from`; null if its end is not in the text yet. */
function parseQuotedRecord(text: string, from: number, delimiter: string, isEnd: boolean) {
  const fields: string[] = []
  let at = from
  for (;;) {
    let field = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        const close = text.indexOf('"', at)
        // The character after a quote tells a closing quote from a doubled one; it may be in the next chunk.
        if (close === -1 || (close === text.length - 1 && !isEnd)) return null
        field += text.slice(at, close)
        at = close + 1
        if (text[at] !== '"') break
        field += '"'
        at++
      }
    }
    // Text after a closing quote, and unquoted text with quotes inside, is kept unchanged.
    const newline = text.indexOf('\n', at)
    if (newline === -1 && !isEnd) return null
    const lineEnd = newline === -1 ? text.length : newline
    const found = text.indexOf(delimiter, at)
    const isLast = found === -1 || found > lineEnd
    const stop = isLast ? lineEnd : found
    field += text.slice(at, isLast && stop > at && text[stop - 1] === '\r' ? stop - 1 : stop)
    fields.push(field)
    at = stop + 1
    if (isLast) return { fields, next: at }
  }
}
