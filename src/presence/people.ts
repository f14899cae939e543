import { placeOf, type SoughtName, wordsOf } from './name.ts'

/** How pages about people begin, in a few languages. */
const LIVES =
  /\((?:born|née?|b\.|geb\.|geboren|\*|nacid[oa]|nato|nata|né en)\s|\bborn (?:on |in )?(?:\d|[A-Z])|\(\d{4}\s?[–-]\s?(?:\d{4})?\)/u
const OCCUPATIONS =
  /\b(?:is|was|est|ist|war|es|è|fue|era)\s(?:an?|une?|eine?|un[ao]?|the|der|die|le|la|el|il)\s(?:\p{L}+[ -]){0,4}(?:act(?:or|ress)|singer|songwriter|author|writer|novelist|poet|journalist|politician|footballer|player|athlete|scientist|physicist|chemist|biologist|primatologist|anthropologist|mathematician|economist|professor|researcher|entrepreneur|businessman|businesswoman|artist|painter|photographer|director|producer|musician|rapper|composer|comedian|model|chef|lawyer|judge|general|president|minister|king|queen|activist|philosopher|historian|engineer|architect|astronaut|racing driver|swimmer|wrestler|boxer|schauspieler(?:in)?|sänger(?:in)?|schriftsteller(?:in)?|politiker(?:in)?|fußballspieler(?:in)?|acteur|actrice|chanteur|chanteuse|écrivain|actriz|cantante|escritor[a]?|político|attore|attrice|scrittore|calciatore)\b/iu

/** The name as its page writes it, where it is that of a person others write about. */
export function personIn(name: SoughtName, title: string, snippet: string): string | null {
  // One word is a name of too much else.
  if (name.words.length < 2 || name.words.length > 4) return null
  const text = `${title}. ${snippet}`
  if (!LIVES.test(text) && !OCCUPATIONS.test(text)) return null
  const heading = title.split(/\s[-–—|·:]\s|[|(:,]/u)[0]!.trim()
  return placeOf(name, wordsOf(heading)) === 0 && wordsOf(heading).length === name.words.length ? heading : null
}
