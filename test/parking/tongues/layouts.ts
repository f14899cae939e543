import { chooser, document, type Draft } from '../making.ts'

/** A language, a title, and what the page says: first the statement, then what follows it. */
export type Sentences = readonly (readonly [lang: string, title: string, ...lines: string[]])[]

const RIGHT_TO_LEFT = new Set(['fa', 'he'])
const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${line}</p>`).join('')

type Layout = (host: string, lines: readonly string[]) => string

const centred: Layout = (host, lines) =>
  `<div style="text-align:center;margin-top:18vh"><h1>${host}</h1>${paragraphs(lines)}<p><a href="mailto:names@lindqvist.example">names@lindqvist.example</a></p></div>`
const withForm: Layout = (_, lines) =>
  `<main><h1>${lines[0]}</h1>${paragraphs(lines.slice(1))}<form method="post" action="/offer"><input name="email"><input name="amount" placeholder="EUR"><button>OK</button></form></main>`
const withLogo: Layout = (host, lines) =>
  `<header><a href="https://lindqvist.example/"><img src="/logo.svg" alt="Lindqvist"></a></header><div class="box"><strong>${host}</strong>${paragraphs(lines)}</div><footer>© 2026 Lindqvist <a href="https://lindqvist.example/privacy">Privacy</a></footer>`
const inTable: Layout = (_, lines) =>
  `<TABLE WIDTH="100%" HEIGHT="100%"><TR><TD ALIGN="center"><FONT SIZE="5">${lines.join('<BR><BR>')}</FONT></TD></TR></TABLE>`

const LAYOUTS = [centred, withForm, withLogo, inTable] as const
const LABELS = [
  'vidra-kamen',
  'rasa-ja-tuul',
  'baltas-tiltas',
  'orah-levana',
  'shirin-bagh',
  'mork-aksorn',
  'neel-taara',
]

/** One page for each line, every layout in turn; `shift` gives another set other layouts. */
export const parkedPages = (sentences: Sentences, shift: number): Draft[] =>
  sentences.map(([lang, title, ...lines], at) => {
    const host = `${LABELS[(at + shift) % LABELS.length]}-${lang}${at + shift}.example`
    const named = (text: string) => text.replaceAll('@', host)
    const layout = LAYOUTS[(at + shift + Math.floor(at / 4)) % LAYOUTS.length]!
    return { host, html: inLanguage(lang, named(title), layout(host, lines.map(named))) }
  })

export const inLanguage = (lang: string, title: string, body: string, head = '') =>
  document(title, body, { lang, head, root: RIGHT_TO_LEFT.has(lang) ? ' dir="rtl"' : '' })

/** Sentences of a language in an order of chance, about as many as asked for. */
export function proseIn(sentences: readonly string[], seed: string, count: number): string {
  const choose = chooser(seed)
  return Array.from({ length: count }, () => choose.pick(sentences)).join(' ')
}
