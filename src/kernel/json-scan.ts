/** What a look at JSON text finds before it is parsed. */
export type JsonScan = {
  /** The first field of the object that is there twice; JSON.parse would silently keep the last one. */
  readonly repeated?: string
  /** Why the text must not be parsed. */
  readonly problem?: string
}

/**
 * Parsing and validating a megabyte of empty objects or brackets takes hundreds of milliseconds, of text hardly any.
 * Twice as many values as the longest list of any endpoint.
 */
const MAX_VALUES = 20_000

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Scans text once, without allocating. Text that is not JSON may pass: JSON.parse rejects it. */
export function scanJson(text: string): JsonScan {
  const fields = new Set<string>()
  let repeated: string | undefined
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(text, at)
        if (depth === 1 && isFollowedByColon(text, end)) {
          const field = decodeField(text.slice(at, end + 1))
          if (fields.has(field)) repeated ??= field
          fields.add(field)
        }
        at = end
        break
      }
      case 0x5b: // [
      case 0x7b: // {
        depth++
        values++
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x2c: // ,
        values++
        break
    }
    if (values > MAX_VALUES)
      return { problem: `The body has more than ${MAX_VALUES} values, the maximum of any list here.` }
  }
  return repeated === undefined ? {} : { repeated }
}

/** The index of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === QUOTE) break
  }
  return at
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++
  return text[at] === ':'
}

/** Two spellings of a field are the same field. Invalid ones are left to JSON.parse. */
function decodeField(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted
  }
}
