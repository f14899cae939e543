import type { ApiError } from '../../kernel/errors.ts'
import { pageOfAsked, suggestName } from './asked.ts'
import { state } from './cards/card.ts'
import { type Html, markup } from './html.ts'
import { type About, closePage, openPage } from './shell.ts'

type Look = { readonly title: string; readonly state: Html; readonly sentence: string; readonly next: Html | null }

/** What a person sees whose question was not answered: why, and what to do next. `again` is the address of the page itself. */
export function problemPage(about: About, asked: string, error: ApiError, again: string): Html {
  const { title, state: shown, sentence, next } = lookOf(about, asked, error, again)
  return markup`${openPage({ about, title: `Onoma: ${title}`, description: sentence, asked })}
    <main id="main">
      <section class="entry">
        <h1 class="head long"><bdi>${asked}</bdi></h1>
        <p class="sum">${shown} ${sentence}</p>
        <p class="row">
          ${next}<a class="q" href="/docs/errors/${error.code}"><code>${error.status} ${error.code}</code></a>
        </p>
      </section>
    </main>
    ${closePage(about)}`
}

const button = (href: string, text: Html): Html => markup`<a class="btn" href="${href}">${text}</a>`

function lookOf({ tlds }: About, asked: string, error: ApiError, again: string): Look {
  const { code, status, message, headers } = error
  if (status === 429 || status >= 500) {
    const isLimit = status === 429
    const seconds = headers['Retry-After']
    const when = seconds === undefined ? '' : ` in ${seconds} s`
    return {
      title: isLimit ? 'rate limit reached' : 'no answer now',
      state: isLimit ? state('sale', 'rate limit reached') : state('unknown', 'no answer'),
      sentence: message,
      next: markup`${button(again, markup`Ask again${when}`)}${isLimit ? markup`<a href="/bulk">Use a list</a>` : null}`,
    }
  }
  const sentence = sentenceOf(message)
  if (code === 'unsupported_tld') {
    const label = asked.slice(0, Math.max(asked.indexOf('.'), 0))
    return {
      title: 'this TLD is not supported',
      state: state('bad', 'not a supported TLD'),
      sentence,
      next:
        label === ''
          ? null
          : button(`${pageOfAsked(label)}?set=all`, markup`<bdi>${label}</bdi> under all ${tlds} TLDs`),
    }
  }
  const near = suggestName(asked)
  return {
    title: 'this cannot be looked up',
    state: state('bad', 'not a name'),
    sentence,
    next: near === undefined ? null : button(pageOfAsked(near), markup`Look up <bdi>${near}</bdi>`),
  }
}

/** Messages name the field of the endpoint; on the page there is only one. */
function sentenceOf(message: string): string {
  const text = message.replace(/^name:? /, '')
  return /^(?:is|has|contains|looks|ends|must)\b/.test(text) ? `It ${text}` : text
}
