import { meaningOf, type Meaning } from './keys.ts'
import type { Line } from './lines.ts'

/** One line, or half of one, classified without context: a key with its value, text, comment or blank. */
export type LineToken =
  | { readonly kind: 'blank' }
  | { readonly kind: 'comment'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly indent: number }
  | {
      readonly kind: 'entry'
      readonly label: string
      readonly meaning: Meaning | undefined
      readonly value: string
      readonly indent: number
      /** `[Holder]`: brackets mark headings in some registries and keys in others. */
      readonly bracketed: boolean
    }

const MAX_LABEL_LENGTH = 80

/** Most lines become one token; a few have two entries side by side. */
export function tokenizeLines(lines: readonly Line[]): LineToken[] {
  return lines.flatMap((line): LineToken[] => {
    if (line.text === '') return [{ kind: 'blank' }]
    if (line.comment) return [{ kind: 'comment', text: line.text }]
    const split = splitEntry(line.text)
    if (!split) return [{ kind: 'text', text: line.text, indent: line.indent }]
    const entry = (one: Split): LineToken => ({
      kind: 'entry',
      ...one,
      meaning: meaningOf(one.label),
      indent: line.indent,
    })
    const beside = split.bracketed ? undefined : secondEntry(split.value)
    return beside ? [entry({ ...split, value: beside.value }), entry(beside.second)] : [entry(split)]
  })
}

type Split = { readonly label: string; readonly value: string; readonly bracketed: boolean }

function splitEntry(line: string): Split | undefined {
  const text = withoutNumbering(line)
  return splitBrackets(text) ?? splitColon(text) ?? splitLeader(text) ?? splitColumns(text)
}

/** `1a.        Domain Name : …` */
function withoutNumbering(text: string): string {
  return text.replace(/^\d{1,2}[a-z]?\.\s+/, '')
}

/** `[Domain Name]   X`, `a. [Domain Name]   X`, `a [Domain Name]   X`. */
function splitBrackets(text: string): Split | undefined {
  const open = text.indexOf('[')
  if (open === -1 || open > 3 || (open > 0 && !/^[a-z]{1,2}\.?\s$/.test(text.slice(0, open)))) return undefined
  const close = text.indexOf(']', open)
  if (close === -1 || close - open > MAX_LABEL_LENGTH) return undefined
  return { label: text.slice(open + 1, close).trim(), value: text.slice(close + 1).trim(), bracketed: true }
}

/** `Key: value`, with leaders on either side of the colon (`Key.....: value`, `Key:......value`). */
function splitColon(text: string): Split | undefined {
  const colon = findColon(text)
  if (colon === -1) return undefined
  const label = text.slice(0, colon).replace(/[\s.]+$/, '')
  if (label === '' || !/^[\p{L}(]/u.test(label)) return undefined
  let value = text.slice(colon + 1).trim()
  if (value.startsWith(':')) value = value.slice(1).trim()
  if (value.startsWith('..')) value = value.replace(/^\.+\s*/, '')
  return { label, value, bracketed: false }
}

/** The colon that ends a key, not one inside an IPv6 address or a time of day. */
function findColon(text: string): number {
  const limit = Math.min(text.length, MAX_LABEL_LENGTH * 3)
  for (let at = 0; at < limit; at++) {
    const character = text[at]
    if (character === '：') return at
    if (character !== ':') continue
    if (text.startsWith('//', at + 1)) return -1
    if (isInsideAddress(text, at)) return -1
    return at
  }
  return -1
}

/** A time of day, or an IPv6 address beside a host. */
function isInsideAddress(text: string, colon: number): boolean {
  if (!/[\da-f:]/i.test(text[colon + 1] ?? '') || !/[\da-f]/i.test(text[colon - 1] ?? '')) return false
  const before = /\S*$/.exec(text.slice(0, colon))![0]
  const word = before + /^\S*/.exec(text.slice(colon))![0]
  return /^[[(]?\d{1,4}:\d/.test(word) || /^[[(]?[\da-f]{1,4}:[\da-f]{0,4}:[\da-f:.]*[\])]?,?$/i.test(word)
}

/** `NOM DE DOMAINE............ value` */
function splitLeader(text: string): Split | undefined {
  const dots = text.indexOf('...')
  if (dots < 2 || dots > MAX_LABEL_LENGTH) return undefined
  const value = text.slice(dots).replace(/^[.\s]+/, '')
  return value === '' ? undefined : { label: text.slice(0, dots).trim(), value, bracketed: false }
}

/** Two columns without a colon: the first is a key only if it is a known one. */
function splitColumns(text: string): Split | undefined {
  const gap = /\t|\s{2,}/.exec(text.slice(0, MAX_LABEL_LENGTH))
  if (!gap || gap.index === 0) return undefined
  const label = text.slice(0, gap.index)
  if (/[.,;!?]$/.test(label)) return undefined
  const meaning = meaningOf(label)
  if (!meaning || meaning.of === 'unspecified') return undefined
  return { label, value: text.slice(gap.index).trim(), bracketed: false }
}

/** A second entry in the same line: `google.com.fj<tab>Status: Active`. */
function secondEntry(value: string): { value: string; second: Split } | undefined {
  const gap = /\t|\s{3,}/.exec(value)
  if (!gap || gap.index === 0) return undefined
  const second = splitColon(value.slice(gap.index).trim())
  if (!second || meaningOf(second.label)?.of !== 'domain') return undefined
  return { value: value.slice(0, gap.index).trim(), second }
}
