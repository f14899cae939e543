const clean = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The text without its `[..]` parts, which may be nested; null if the brackets are not balanced. */
function withoutDeleted(text: string): string | null {
  let kept = ''
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x5b) {
      if (depth++ === 0) kept += text.slice(from, at)
    } else if (unit === 0x5d) {
      if (--depth < 0) return null
      from = at + 1
    }
  }
  return depth === 0 ? kept + text.slice(from) : null
}

/** Strips these characters from the end. A loop: a regular expression would take quadratic time. */
function withoutEnding(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** Removes the punctuation that a deletion leaves behind: `A; ; B`, `, B`. */
const closeGaps = (text: string) =>
  withoutEnding(
    clean(text)
      .replace(/ ([,;.])/g, '$1')
      .replace(/([,;])(?: ?[,;])+/g, '$1')
      .replace(/^[ ,;.]+/, ''),
    ' ,',
  )

/**
 * The goods that a statement still covers. `[..]` was deleted from the registration and is removed. `((..))` was left out of one
 * affidavit only and `*..*` was added later: both are covered, so only the marks around them are removed.
 */
export function goodsOf(statement: string): string {
  let text = statement
  if (text.includes('[')) {
    const kept = withoutDeleted(text)
    if (kept !== null) text = closeGaps(kept)
  }
  if (text.includes('((')) text = text.replace(/\(\(([^()]*(?:\([^()]*\)[^()]*)*)\)\)/g, ' $1 ')
  if (text.includes('*')) text = text.replace(/\*([^*]*)\*/g, ' $1 ')
  return text === statement ? text : clean(text).replace(/ ([,;.])/g, '$1')
}

/** Joins all statements into one text without duplicates. */
export function joinGoods(statements: readonly string[]): string {
  if (statements.length === 1) return goodsOf(statements[0]!)
  const distinct = new Set(statements.map(goodsOf).filter((text) => text !== ''))
  return [...distinct].map((text, index) => (index < distinct.size - 1 ? withoutEnding(text, ' ;.') : text)).join('; ')
}
