import { type Html, markup } from '../html.ts'
import { card } from './card.ts'

export type PaidPart = { readonly what: string; readonly usd: string; readonly path: string; readonly command: string }

/** How a page can pay: with the play money of this address, or with a wallet in the browser. Null if nothing is sold. */
export type Wallet = { readonly playWallet: string | null } | null

type Options = { readonly number: number; readonly title: string; readonly wallet: Wallet }

/** What can be bought, with its price and the command that pays. Nothing is bought by looking. */
export const lockedCard = (parts: readonly PaidPart[], { number, title, wallet }: Options): Html =>
  card({
    number,
    title,
    body: markup`<div class="lock">${parts.map(
      ({ what, usd, command, path }) =>
        markup`<div class="offer"><p>${what}. <b>$${usd}</b></p>
<pre tabindex="0" role="group" aria-label="Command that pays"><code>${command}</code></pre>
${wallet === null ? null : payButton(path, usd, what, wallet)}</div>
`,
    )}<small class="q">${
      wallet === null
        ? 'Payments are off here.'
        : wallet.playWallet === null
          ? 'Stablecoin, without an account. A request that fails costs nothing.'
          : 'Play money: nothing real is paid.'
    }</small></div>`,
    source: parts[0]?.path ?? '',
  })

/** Shown by the script if it can pay. Its room is kept, so that nothing moves. */
const payButton = (path: string, usd: string, what: string, { playWallet }: NonNullable<Wallet>): Html =>
  markup`<p class="row pay"><button class="btn" type="button" data-pay="${path}" data-usd="${usd}"${
    playWallet === null ? null : markup` data-play="${playWallet}"`
  } hidden>Pay $${usd}<span class="vh"> for: ${what}</span></button><span role="status"></span></p>`
