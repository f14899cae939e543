import type { Random } from '../../src/kernel/random.ts'

const STYLE = 'body{font:16px/1.5 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#222}a{color:#046}'

export const document = (title: string, body: string, lang = 'en'): string =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title><style>${STYLE}</style></head><body>${body}</body></html>\n`

/** The navigation of a site in use. */
export const links = (): string =>
  `<nav>${['about', 'news', 'people', 'prices', 'visit', 'archive', 'questions', 'contact', 'imprint', 'privacy']
    .map((page) => `<a href="/${page}">${page}</a>`)
    .join(' ')}</nav>`

const WHO = ['Our neighbour', 'The baker', 'A friend from the coast', 'The choir', 'Our youngest', 'The ferryman']
const WHAT = ['mended', 'painted', 'carried', 'found', 'measured', 'wrote about', 'photographed', 'asked for']
const WHICH = ['the old boat', 'a green door', 'three chairs', 'the long table', 'a map of the bay', 'the garden wall']
const WHEN = ['last summer', 'before the storm', 'on a Sunday', 'in the early morning', 'after the market', 'again']

/** Random filler text that never mentions domains. */
export function paragraphs(count: number, chance: Random): string {
  const one = (list: readonly string[]) => list[chance.below(list.length)]!
  const sentence = () => `${one(WHO)} ${one(WHAT)} ${one(WHICH)} ${one(WHEN)}.`
  return Array.from({ length: count }, () => `<p>${[1, 2, 3, 4, 5, 6].map(sentence).join(' ')}</p>`).join('')
}
