import { FeedError } from '../../auction-house.ts'

const MAX_RECORD_LENGTH = 1024 * 1024
const MAX_DEPTH = 64

/**
 * Streams the records of a JSON list as text, from chunks of JSON. The list is the document itself, its member `list`, or
 * its first member that is a list. Throws FeedError if there is no list or the JSON is truncated.
 */
export function jsonListReader(list: string | undefined) {
  let depth = 0
  /** Depth of the list; 0 before it starts, -1 after it ends. */
  let inside = 0
  let inString = false
  let escaped = false
  /** The current member of the outermost object. */
  let key: string | null = null
  let string = ''
  let record: string[] | null = null
  let recordSize = 0

  function* push(text: string): Generator<string> {
    let from = record ? 0 : -1
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (inString) {
        if (escaped) escaped = false
        else if (code === BACKSLASH) escaped = true
        else if (code === QUOTE) inString = false
        else if (depth === 1 && inside === 0 && string.length < 256) string += text[at]!
        continue
      }
      switch (code) {
        case QUOTE:
          inString = true
          string = ''
          break
        case COLON:
          if (depth === 1) key = string
          break
        case OPEN_LIST:
        case OPEN_OBJECT:
          if (++depth > MAX_DEPTH) throw new FeedError('The JSON is nested too deeply.')
          if (inside === 0 && code === OPEN_LIST && isTheList(depth, key, list)) inside = depth
          else if (inside > 0 && depth === inside + 1) {
            from = at
            record = []
            recordSize = 0
          }
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (--depth < 0) throw new FeedError('The JSON is not well-formed.')
          if (record && depth === inside) {
            record.push(text.slice(from, at + 1))
            yield record.join('')
            record = null
            from = -1
          } else if (inside > 0 && depth < inside) inside = -1
          break
      }
    }
    if (!record) return
    record.push(text.slice(from))
    recordSize += text.length - from
    if (recordSize > MAX_RECORD_LENGTH) throw new FeedError('A record of the JSON is too long.')
  }

  return {
    push,
    end(): void {
      if (inside === 0) throw new FeedError('The JSON has no list of records.')
      if (depth !== 0 || inString) throw new FeedError('The JSON is truncated.')
    },
  }
}

const isTheList = (depth: number, key: string | null, wanted: string | undefined): boolean =>
  depth === 1 ? wanted === undefined : depth === 2 && (wanted === undefined || key === wanted) && key !== null

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
