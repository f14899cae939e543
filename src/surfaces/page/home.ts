import { type Html, markup } from './html.ts'
import { type About, closePage, openPage, ring, wordmark } from './shell.ts'

const EXAMPLES = [
  { text: 'acme', path: '/n/acme' },
  { text: 'acme.com', path: '/d/acme.com' },
  { text: 'nightjar.eth', path: '/n/nightjar.eth' },
]

/** The page with one large field. */
export const homePage = (about: About): Html =>
  markup`${openPage({
    about,
    title: 'Onoma: look up a name',
    description:
      'Is a name free, who holds it, what is it worth, is it for sale, and does a trademark stand in the way?',
    asked: null,
  })}
    <main id="main">
      <div>
        <h1>${wordmark}</h1>
        <p class="lemma">
          <span lang="grc">ὄνομα</span>, <span lang="grc">τό</span>: a name, and everything that is known of it.
        </p>
        <form class="ask" action="/n" role="search">
          <input
            name="q"
            aria-label="Name or domain"
            placeholder="acme or acme.com"
            autocomplete="off"
            autocapitalize="none"
            spellcheck="false"
            enterkeyhint="search"
            dir="auto"
            maxlength="253"
            required
          />
          <button class="btn">Look up</button>
        </form>
        <p class="row">
          <span class="q">Try</span>
          ${EXAMPLES.map(({ text, path }) => markup`<a class="n" href="${path}">${text}</a> `)}<span class="q">or</span>
          <a href="/bulk">paste a list</a
          ><span class="row end q" aria-hidden="true"
            >${LEGEND.map(({ state, word }) => markup`<span class="s ${state}">${ring}${word}</span>`)}</span
          >
        </p>
      </div>
      <div class="senses">
        ${SENSES.map(
          ({ title, text }, at) =>
            markup`<section>
              <h2><i>${at + 1}</i>${title}</h2>
              <p>${text.replace('{tlds}', String(about.tlds))}</p>
            </section>`,
        )}
      </div>
    </main>
    ${closePage(about)}`

const LEGEND = [
  { state: 'free', word: 'free' },
  { state: 'sale', word: 'for sale' },
  { state: 'taken', word: 'taken' },
  { state: 'reserved', word: 'reserved' },
  { state: 'unknown', word: 'unknown' },
]

const SENSES = [
  {
    title: 'Is it free?',
    text: '{tlds} TLDs and .eth. Only the registry’s own word counts, and the price stands beside it.',
  },
  { title: 'Who holds it?', text: 'Registrar, dates and DNS, with every query that was sent to find out.' },
  { title: 'What is it worth?', text: 'Offers, live auctions, and an estimate that names the sales it rests on.' },
  { title: 'May I use it?', text: 'Trademarks by spelling and by sound, each with the reason why it matches.' },
]
