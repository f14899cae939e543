import { type Html, markup } from '../html.ts'
import { card } from './card.ts'

export type PaidPart = { readonly what: string; readonly usd: string; readonly path: string; readonly command: string }

/** What can be bought, with its price and the command that pays. Nothing is bought by looking. */
export const lockedCard = (parts: readonly PaidPart[], { number, title }: { number: number; title: string }): Html =>
  card({
    number,
    title,
    body: markup`<div class="lock">${parts.map(
      ({ what, usd, command, path }) =>
        markup`<p>${what}. <b>$${usd}</b></p>
<pre tabindex="0" role="group" aria-label="Command that pays"><code>${command}</code></pre>
<p class="row"><button class="btn" type="button" data-pay="${path}" hidden>Pay $${usd}</button><output></output></p>
`,
    )}<small class="q">Stablecoin, without an account. A request that fails costs nothing.</small></div>`,
    source: parts[0]?.path ?? '',
  })
