import { BANG, QUESTION, SLASH, tagEnd } from './bytes.ts'
import { checkDeclaration, doctypeEnd } from './prolog.ts'
import { RegisterError } from './register-error.ts'

/** The register's document type has 20 kB; other markup between records is shorter. */
export const MAX_MARKUP_BYTES = 1024 * 1024
const MAX_DEPTH = 64
const ROOT = /^trademark-applications/

/** Where we are in the document. */
export type DocumentState = {
  /** The names of the open elements around the records. */
  readonly open: string[]
  rootSeen: boolean
  /** Whether the next byte belongs to a record. */
  inRecord: boolean
}

export const notRegister = (what: string) => new RegisterError(`the XML is refused: ${what}`)

/**
 * Reads one tag, comment or declaration at its `<`. Returns the offset after it, or -1 if it is incomplete. At the start tag of
 * a record it sets `inRecord` and returns the offset of that tag.
 */
export function readMarkup(state: DocumentState, bytes: Buffer, at: number): number {
  const kind = bytes[at + 1]
  if (kind === undefined) return -1
  if (kind === QUESTION) {
    const end = bytes.indexOf('?>', at + 2)
    if (end === -1) return -1
    if (!state.rootSeen) checkDeclaration(bytes.toString('latin1', at, end))
    return end + 2
  }
  if (kind === BANG) return readDeclaration(state, bytes, at)
  const end = tagEnd(bytes, at)
  if (end === -1) return -1
  const closes = kind === SLASH
  const isEmpty = !closes && bytes[end - 1] === SLASH
  const name = /^[^\s/>]*/.exec(bytes.toString('latin1', at + (closes ? 2 : 1), Math.min(end, at + 200)))![0]
  if (name === 'case-file' && !closes && state.rootSeen && state.open.length > 0) {
    state.inRecord = !isEmpty
    return isEmpty ? end + 1 : at
  }
  element(state, name, closes, isEmpty)
  return end + 1
}

function readDeclaration(state: DocumentState, bytes: Buffer, at: number): number {
  const start = bytes.toString('latin1', at, at + 9)
  const closed = (closing: string, length: number) => {
    const end = bytes.indexOf(closing, at + length)
    return end === -1 ? -1 : end + closing.length
  }
  if (start.startsWith('<!--')) return closed('-->', 4)
  if (start === '<![CDATA[') {
    if (state.open.length === 0) throw notRegister('there is text around its root')
    return closed(']]>', 9)
  }
  if (start.toUpperCase() === '<!DOCTYPE') {
    if (state.rootSeen) throw notRegister('it has a document type in the middle')
    const text = bytes.toString('latin1', at, at + MAX_MARKUP_BYTES)
    const end = doctypeEnd(text.replace(/^<!doctype/i, '<!DOCTYPE'), (closing, from) => text.includes(closing, from))
    return end === -1 ? -1 : at + end
  }
  if (start.length < 9 && ['<!--', '<![CDATA[', '<!DOCTYPE'].some((whole) => whole.startsWith(start))) return -1
  throw notRegister('it holds a declaration')
}

function element(state: DocumentState, name: string, closes: boolean, isEmpty: boolean): void {
  const { open } = state
  if (closes) {
    if (open.pop() !== name) throw new RegisterError('the XML is damaged: a tag closes what was not open')
    return
  }
  if (open.length === 0) {
    if (state.rootSeen) throw notRegister('it goes on after its end')
    if (/^html$/i.test(name)) throw notRegister('this is a web page and not a file of the register')
    if (!ROOT.test(name)) throw notRegister(`it begins with <${name.slice(0, 40)}> and is not a file of the register`)
    state.rootSeen = true
  }
  if (open.length === MAX_DEPTH) throw new RegisterError('the XML is damaged: its elements are nested too deep')
  if (!isEmpty) open.push(name)
}
