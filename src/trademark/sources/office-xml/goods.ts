const clean = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Without what stands in `[..]`, which may be nested; null when the brackets do not pair and mean nothing. */
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

/** Without these signs at its end. A loop, because a regular expression would look for the end from every sign. */
function withoutEnding(text: string, signs: string): string {
  let end = text.length
  while (end > 0 && signs.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** `A; ; B` and `, B` are what a deletion leaves behind. */
const closeGaps = (text: string) =>
  withoutEnding(
    clean(text)
      .replace(/ ([,;.])/g, '$1')
      .replace(/([,;])(?: ?[,;])+/g, '$1')
      .replace(/^[ ,;.]+/, ''),
    ' ,',
  )

/**
 * What one statement still covers. `[..]` was deleted from the registration and goes, words and all. `((..))` was left
 * out of one affidavit only and `*..*` was added later: both are covered, so the words stay and the signs go.
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

/** All statements as one text; the same goods twice are said once. */
export function joinGoods(statements: readonly string[]): string {
  if (statements.length === 1) return goodsOf(statements[0]!)
  const distinct = new Set(statements.map(goodsOf).filter((text) => text !== ''))
  return [...distinct].map((text, index) => (index < distinct.size - 1 ? withoutEnding(text, ' ;.') : text)).join('; ')
}
