import { RegisterError } from './register-error.ts'

const refused = (why: string) => new RegisterError(`the XML is refused: ${why}`)

// What the register's own document type contains, and nothing that could name, fetch or expand anything.
const HARMLESS =
  /\s+|<!--(?:[^-]|-(?!->))*-->|<!ELEMENT\s(?:[^<>%&"'])*>|<!ATTLIST\s(?:[^<>%&"']|"[^"<&%]*"|'[^'<&%]*')*>/y
const HEAD = /<!DOCTYPE\s+([\w:.-]+)(?:\s+(?:SYSTEM|PUBLIC\s*(?:"[^"]*"|'[^']*'))\s*(?:"[^"]*"|'[^']*')?)?\s*([[>])/y

/**
 * The end of the document type at the beginning of the text, or -1 if more text is needed. Any entity declaration is rejected.
 */
export function doctypeEnd(text: string, isWhole: (closing: string, at: number) => boolean): number {
  HEAD.lastIndex = 0
  const head = HEAD.exec(text)
  if (head === null) {
    if (!/[[>]/.test(text.slice(9))) return -1
    throw refused('its document type cannot be read')
  }
  if (/^html$/i.test(head[1]!)) throw refused('this is a web page and not a file of the register')
  if (head[2] === '>') return HEAD.lastIndex
  let at = HEAD.lastIndex
  while (at < text.length) {
    if (text.startsWith(']', at)) {
      const end = /\]\s*>/y
      end.lastIndex = at
      if (end.test(text)) return end.lastIndex
      if (/^\]\s*$/.test(text.slice(at))) return -1
      throw refused('its document type cannot be read')
    }
    HARMLESS.lastIndex = at
    if (HARMLESS.test(text)) {
      at = HARMLESS.lastIndex
      continue
    }
    if (text.startsWith('<!ENTITY', at)) throw refused('its document type declares entities')
    if (text.startsWith('%', at)) throw refused('its document type refers to entities')
    // Not harmless so far: wait for the rest of the declaration, or reject a complete one.
    const closing = text.startsWith('<!--', at) ? '-->' : '>'
    if (!isWhole(closing, at)) return -1
    throw refused('its document type declares what the register never does')
  }
  return -1
}

/** Rejects an XML declaration with an unsupported encoding. */
export function checkDeclaration(text: string): void {
  const encoding = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)/.exec(text)?.[1]
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii|ascii)$/i.test(encoding)) {
    throw refused(`it is encoded as ${encoding.slice(0, 40)}, and the register is UTF-8`)
  }
}
