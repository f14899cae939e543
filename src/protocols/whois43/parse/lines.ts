/** One line of an answer, trimmed and, for a comment, without its marker. */
export type Line = {
  /** Empty if the line has no letters or digits. */
  readonly text: string
  /** Columns before the text; a tab advances to the next multiple of eight. */
  readonly indent: number
  readonly comment: boolean
}

/** More lines than any registry sends; the rest is not parsed. */
const MAX_LINES = 1000
/** Longer than any value we need; only legal texts are longer. */
const MAX_LINE_LENGTH = 600

/** Splits an answer into lines. `cut` is true if lines above the maximum were dropped. */
export function splitLines(answer: string): { readonly lines: readonly Line[]; readonly cut: boolean } {
  const lines: Line[] = []
  let at = answer.charCodeAt(0) === 0xfeff ? 1 : 0
  // A lone carriage return ends a line only if the text has no line feeds.
  const end = answer.includes('\n') ? '\n' : '\r'
  while (at < answer.length) {
    if (lines.length === MAX_LINES) return { lines, cut: true }
    const next = answer.indexOf(end, at)
    const stop = next === -1 ? answer.length : next
    lines.push(readLine(answer.slice(at, Math.min(stop, at + MAX_LINE_LENGTH))))
    at = stop + 1
  }
  return { lines: withoutDoubleSpacing(lines), cut: false }
}

const BLANK: Line = { text: '', indent: 0, comment: false }

function readLine(raw: string): Line {
  let indent = 0
  let start = 0
  for (; start < raw.length; start++) {
    const unit = raw.charCodeAt(start)
    if (unit === 0x09) indent += 8 - (indent % 8)
    else if (isSpace(unit)) indent++
    else break
  }
  const text = tidy(raw.slice(start))
  if (text === '' || !hasWord(text)) return BLANK
  const marker = markerLength(text)
  if (marker === 0) return { text, indent, comment: false }
  const rest = text.slice(marker).trim()
  // `**` marks a heading in one registry family; all other markers make a comment.
  if (text.startsWith('**')) return { text: rest, indent, comment: false }
  return { text: stripEnd(rest), indent: indent + marker, comment: true }
}

const isSpace = (unit: number): boolean =>
  unit === 0x20 || unit === 0x0d || unit === 0xa0 || unit === 0x3000 || unit < 0x09

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for.
const UNTIDY = /[\u0000-\u0008\u000b-\u001f\u007f\u00a0\u200b\u3000\ufeff&]|[ \t]{4}|\.{4}/

/** Removes control characters and unusual spaces, and decodes the most common HTML entities. */
function tidy(text: string): string {
  if (!UNTIDY.test(text)) return text.trim()
  // oxlint-disable-next-line no-control-regex
  const plain = text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u200b\ufeff]/g, '').replace(/[\u00a0\u3000]/g, ' ')
  const read = plain.replace(/&(gt|lt|amp|quot|nbsp|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
  // Long runs of spaces and dots only align columns. Shortening them keeps later patterns linear.
  return read
    .trim()
    .replace(/[ \t]{4,}/g, '   ')
    .replace(/\.{4,}/g, '...')
}

const ENTITIES: Readonly<Record<string, string>> = { gt: '>', lt: '<', amp: '&', quot: '"', nbsp: ' ', '#39': "'" }

const hasWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/** The length of the comment or heading marker at the start. */
function markerLength(text: string): number {
  const first = text[0]
  if (first === '%' || first === '#' || first === ';') return /^[%#;\s-]+/.exec(text)![0].length
  if (text.startsWith('>>>')) return /^[>\s]+/.exec(text)![0].length
  if (text.startsWith('**')) return /^[*\s]+/.exec(text)![0].length
  if (first === '*' && text.endsWith('*')) return 1
  // A boxed notice: `[ JPRS database provides … ]`; a bracketed key has no blank after the bracket.
  if (first === '[' && text[1] === ' ' && text.endsWith(']')) return 1
  return 0
}

const stripEnd = (text: string): string => (text.endsWith('*') || text.endsWith(' ]') ? text.slice(0, -1).trim() : text)

/** Some servers send every line ending twice; single blank lines are then dropped. */
function withoutDoubleSpacing(lines: readonly Line[]): readonly Line[] {
  let texts = 0
  let pairs = 0
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.text === '') continue
    texts++
    const next = lines[at + 1]
    if (next !== undefined && next.text !== '') pairs++
  }
  if (texts < 8 || pairs > 0) return lines
  return lines.filter((line, at) => line.text !== '' || lines[at - 1]?.text === '')
}
