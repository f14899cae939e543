import { FeedError } from '../../auction-house.ts'

const MAX_LINE_LENGTH = 1024 * 1024

/** Splits chunks of text into trimmed lines; empty lines are skipped. */
export function lineReader() {
  let rest = ''
  return {
    *push(text: string): Generator<string> {
      rest += text
      let from = 0
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', from)) {
        const line = rest.slice(from, end).trim()
        from = end + 1
        if (line !== '') yield line
      }
      rest = rest.slice(from)
      if (rest.length > MAX_LINE_LENGTH) throw new FeedError('A line of the feed is too long.')
    },
    *end(): Generator<string> {
      const line = rest.trim()
      rest = ''
      if (line !== '') yield line
    },
  }
}
