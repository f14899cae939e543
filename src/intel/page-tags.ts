/** A piece of a document, in the order they stand. */
export type Piece =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'raw'; readonly name: string; readonly text: string }

/** What stands in these is no markup: it goes on to their end tag, or to the end of the document. */
const RAW = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'])

/** Attributes one tag may have; what is beyond is passed over. */
const MAX_ATTRIBUTES = 60

/**
 * Cuts HTML into pieces in one pass, forgiving whatever is wrong with it as a browser would. Every step moves on, so
 * the work grows with the length and with nothing else.
 */
export function* readPieces(html: string): Generator<Piece> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open === -1) break
    if (open > at) yield { kind: 'text', text: html.slice(at, open) }
    const next = html.charCodeAt(open + 1)
    if (next === 0x21 || next === 0x3f) {
      at = afterComment(html, open)
    } else if (next === 0x2f && isLetter(html.charCodeAt(open + 2))) {
      const name = readName(html, open + 2)
      yield { kind: 'close', name: name.toLowerCase() }
      const end = html.indexOf('>', open + 2 + name.length)
      at = end === -1 ? html.length : end + 1
    } else if (isLetter(next)) {
      const tag = readTag(html, open + 1)
      yield { kind: 'open', name: tag.name, attributes: tag.attributes }
      at = tag.end
      if (RAW.has(tag.name)) {
        const end = closingTag(html, tag.name, at)
        yield { kind: 'raw', name: tag.name, text: html.slice(at, end) }
        at = end
      }
    } else {
      yield { kind: 'text', text: '<' }
      at = open + 1
    }
  }
  if (at < html.length) yield { kind: 'text', text: html.slice(at) }
}

/** Where a comment, a doctype or a processing instruction is over; an unfinished one has no end. */
function afterComment(html: string, open: number): number {
  const isComment = html.startsWith('<!--', open)
  const end = isComment ? html.indexOf('-->', open + 4) : html.indexOf('>', open + 2)
  if (end === -1) return html.length
  return end + (isComment ? 3 : 1)
}

/** Where `</name` stands, in any case of letters; the end of the document where it does not. */
function closingTag(html: string, name: string, from: number): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at
  }
  return html.length
}

function readName(html: string, from: number): string {
  let end = from
  while (end < html.length && !isEndOfName(html.charCodeAt(end))) end++
  return html.slice(from, end)
}

function readTag(html: string, from: number) {
  const name = readName(html, from)
  const attributes = new Map<string, string>()
  let at = from + name.length
  while (at < html.length) {
    const unit = html.charCodeAt(at)
    if (unit === 0x3e) return { name: name.toLowerCase(), attributes, end: at + 1 }
    if (isSpace(unit) || unit === 0x2f) {
      at++
      continue
    }
    const start = at
    // The first character belongs to the name whatever it is: so every turn moves on.
    at++
    while (at < html.length && !isEndOfName(html.charCodeAt(at)) && html.charCodeAt(at) !== 0x3d) at++
    const attribute = html.slice(start, at).toLowerCase()
    const value = readValue(html, at)
    at = value.end
    if (attributes.size < MAX_ATTRIBUTES && !attributes.has(attribute)) attributes.set(attribute, value.text)
  }
  return { name: name.toLowerCase(), attributes, end: html.length }
}

/** The value of an attribute; empty if it has no value. */
function readValue(html: string, from: number) {
  let at = from
  while (at < html.length && isSpace(html.charCodeAt(at))) at++
  if (html.charCodeAt(at) !== 0x3d) return { text: '', end: from }
  at++
  while (at < html.length && isSpace(html.charCodeAt(at))) at++
  const quote = html[at]
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1)
    return end === -1 ? { text: html.slice(at + 1), end: html.length } : { text: html.slice(at + 1, end), end: end + 1 }
  }
  const start = at
  while (at < html.length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== 0x3e) at++
  return { text: html.slice(start, at), end: at }
}

const isSpace = (unit: number) => unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
const isLetter = (unit: number) => (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)
const isEndOfName = (unit: number) => isSpace(unit) || unit === 0x3e || unit === 0x2f
