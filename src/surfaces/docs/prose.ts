import { type Html, markup } from '../page/html.ts'

/** A sentence of a contract as markup: what stands in backticks is code, with a link if `resolve` knows a page for it. */
export const prose = (text: string, resolve?: (code: string) => string | undefined): readonly (Html | string)[] =>
  text.split(/`([^`]+)`/).map((part, at) => {
    if (at % 2 === 0) return part
    const target = resolve?.(part)
    return target === undefined ? markup`<code>${part}</code>` : markup`<a href="${target}"><code>${part}</code></a>`
  })

/** `GET /v1/check`, with the method in the colour of the accent. A long path may be broken before a slash, not within a word. */
export const address = ({ method, path }: { readonly method: string; readonly path: string }): Html =>
  markup`<span class="verb">${method}</span> <code>${path.split(/(?<=.)(?=\/)/).map((part, at) => (at === 0 ? part : markup`<wbr>${part}`))}</code>`
