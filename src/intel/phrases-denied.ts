/** Negations between a name and “for sale”, folded. */
const NOT_BETWEEN = new RegExp(
  `(?:^|[^\\p{L}\\p{M}])(?:${[
    'not|never|isn.t|no longer|nicht|keineswegs|est pas|no esta|no se|non|nao|niet|nie|inte|ikke|ei ole|ei|neni|nem|nu este|nu e',
    'не|нет|ni|nije|nera|nav|pole|לא|אינו|איננו|ليس|ليست|غير',
  ].join('|')})(?:[^\\p{L}\\p{M}]|$)|不|非|ไม่`,
  'u',
)
/** Negations at the end of a sentence. */
const NOT_BEHIND = /^[^\n.!?。]{0,12}(?:degil|نیست|نمی|नहीं|ません|ない|않|아닙)/u

/** Conditions: “if the domain is for sale” is not a statement. */
const IF_BEFORE =
  /(?:^|[^\p{L}])(?:if|when|whether|wenn|falls|ob|si|se|jesli|если|als|ako|jei|ja|kui|यदि|अगर|אם|اگر|หาก|ถ้า) ?(?:\p{L}+ ){0,2}$/u

/** A quotation mark that opens at most a few words before. */
const OPENING = /(?:^|[\s(>:])["'“„«‟”「『][^"'“”»」』\n]{0,20}$/u
const CLOSING = /["'“”»」』]/u

/** Characters after a statement within which its quotation must be closed. */
const MAX_QUOTE_TAIL_LENGTH = 60

/**
 * Whether a statement is negated or conditional: “this domain is not for sale”, “if this domain is for sale”. It spans
 * `from` to `end`; `gap` is the text between its two phrases.
 */
export const isDenied = (text: string, from: number, gap: string, end: number): boolean =>
  NOT_BETWEEN.test(gap) ||
  NOT_BEHIND.test(text.slice(end, end + 24)) ||
  IF_BEFORE.test(text.slice(Math.max(0, from - 24), from))

/** Whether a whole statement is a quotation, as in an article about parked pages. */
export function isQuoted(text: string, from: number, gap: string, end: number): boolean {
  if (!OPENING.test(text.slice(Math.max(0, from - 24), from)) || CLOSING.test(gap)) return false
  const [line = ''] = text.slice(end, end + MAX_QUOTE_TAIL_LENGTH).split('\n', 1)
  return CLOSING.test(line)
}
