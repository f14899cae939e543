import { type SoughtName, wordsOf } from './name.ts'

/** Phrases at the beginning of pages about people, in several languages. */
const LIVES =
  /[(（](?:born|née?|b\.|geb\.|geboren|\*|nacid[oa]|nato|nata|род\.|рођ\.)\s|(?<!\p{L})born (?:on |in )?\d|\d年[\d月日\s]{0,8}(?:生まれ|出生)|[（(]\d{4}年[\d月日\s]{0,8}[-–—~〜)）]|(?<!\p{L})(?:родился|родилась)\s|(?<!\p{L})(?:ولد|ولدت)\s|\d일\s?~\s?\)/iu

const TRADES = [
  'act(?:or|ress)|singer|songwriter|novelist|poet|journalist|politician|footballer|athlete|scientist|physicist|chemist',
  'biologist|primatologist|anthropologist|mathematician|economist|professor|entrepreneur|businessman|businesswoman',
  'painter|sculptor|photographer|musician|rapper|composer|comedian|activist|philosopher|historian|architect|astronaut',
  '(?:film|theatre) director|(?:football|tennis|basketball|baseball|hockey|chess|cricket|rugby) player|racing driver',
  'swimmer|wrestler|boxer|cyclist|author and \\p{L}+|writer',
  'schauspieler(?:in)?|sänger(?:in)?|schriftsteller(?:in)?|politiker(?:in)?|fußballspieler(?:in)?|physiker(?:in)?',
  'acteur|actrice|chanteu(?:r|se)|écrivaine?|physicienn?e?|actriz|cantante|escritora?|político|futbolista|física?',
  'attore|attrice|scrittore|scrittrice|calciatore|pittrice|pittore',
].join('|')
/** "is a Danish film director": a verb, an article, a few words and an occupation. */
const OCCUPATIONS = new RegExp(
  `(?<!\\p{L})(?:is|was|est|était|ist|war|es|è|fue|era)\\s(?:an?|une?|eine?|un[ao]?|the)\\s(?:\\p{L}+[ -]){0,4}(?:${TRADES})(?![\\p{L}-])`,
  'iu',
)
/** Occupations in languages without a verb or an article before them. */
const OTHERS =
  /[—–-]\s(?:\p{L}+\s){0,3}(?:актёр|актриса|певец|певица|писатель(?:ница)?|поэт(?:есса)?|физик|режиссёр|художни(?:к|ца)|журналист(?:ка)?|учёный)(?!\p{L})|は、?日本の\p{L}{0,8}(?:俳優|女優|歌手|作家|小説家|漫画家|政治家|画家)|是\p{L}{0,8}(?:演员|歌手|作家|诗人|科学家|导演|画家)|(?<!\p{L})(?:ممثل|ممثلة|كاتب|كاتبة|شاعر|شاعرة|مغني|مغنية)(?!\p{L})|(?:배우|가수|작가|소설가|정치인|화가)이다/iu

/** The name as spelled on its page, if it is that of a person others write about; otherwise null. */
export function personIn(name: SoughtName, title: string, snippet: string): string | null {
  const isOneRun = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]{2,8}$/u.test(name.joined)
  // A single word in another script is too ambiguous.
  if ((name.words.length < 2 && !isOneRun) || name.words.length > 4) return null
  const text = `${title}. ${snippet}`
  if (!LIVES.test(text) && !OCCUPATIONS.test(text) && !OTHERS.test(text)) return null
  const heading = title.split(/\s[-–—|·:]\s|[|(（:,]/u)[0]!.trim()
  return wordsOf(heading).join('') === name.joined ? heading : null
}
