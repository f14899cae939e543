import { BLOGS, FORUMS, NEWSPAPERS, type WritePage } from './page-writer.ts'

export const dictionaryEntry: WritePage = ({ page, pick, dashed, name }) =>
  pick([
    () =>
      page(
        'www.merriam-webster.com',
        `dictionary/${dashed}`,
        `${name} Definition & Meaning`,
        'The meaning and how to use it in a sentence.',
      ),
    () => page('en.wiktionary.org', `wiki/${dashed}`, `${name} - Wiktionary`, 'Etymology, pronunciation, noun.'),
    () => page('www.vocabulary.com', `dictionary/${dashed}`, `${name} - definition`, 'Dictionary definition.'),
    () =>
      page('en.wikipedia.org', `wiki/${dashed}`, `${name} - Wikipedia`, 'From the encyclopedia: a thing known to all.'),
  ])()

/** A post that uses the name as an ordinary word. */
export const ordinaryUse: WritePage = ({ page, pick, number, name }) =>
  page(
    pick(BLOGS),
    `${number()}`,
    pick([
      `What ${name} taught me about patience`,
      `A poem of ${name} and rain`,
      `12 pictures with ${name} in them`,
      `Drawing ${name} step by step`,
      `Is ${name} good for you?`,
      `My ${name} project, part two`,
    ]),
    `Some thoughts on ${name}.`,
  )

/** A forum post with the name in its title. */
export const forumMention: WritePage = ({ page, pick, say, number, phrases }) =>
  page(pick(FORUMS), `t/${number()}`, say(phrases.mention), 'Posted a while ago, two replies.')

/** A blog post with the name in its snippet only. */
export const snippetMention: WritePage = ({ page, pick, number, phrases, name }) =>
  page(pick(BLOGS), `p/${number()}`, pick(phrases.noise), `… and somebody called it ${name}, as a joke.`)

/** A page without the name. */
export const unrelatedPage: WritePage = ({ page, pick, number, phrases }) =>
  page(pick([...BLOGS, ...NEWSPAPERS]), `${number()}`, pick(phrases.noise), pick(phrases.noise))
