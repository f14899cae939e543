import { domainToASCII, domainToUnicode } from 'node:url'

/** The domain a question was about, in every spelling an answer may use for it. */
export type AskedName = {
  /** Lower case, ASCII where it has such a form. */
  readonly domain: string
  readonly tld: string
  /** Its first label: some registries name only that. */
  readonly label: string
  /** Whether a lower-case word is this very domain: in ASCII or Unicode, or only its label. */
  is(word: string): boolean
  /** The same, for the whole domain only. */
  isWhole(word: string): boolean
}

export function askedName(question: { readonly domain: string; readonly tld: string }): AskedName {
  const asked = question.domain.toLowerCase()
  const domain = domainToASCII(asked) || asked
  const tld = question.tld.toLowerCase()
  const wholes = new Set([asked, domain, domainToUnicode(domain).normalize('NFC')])
  const labels = new Set([...wholes].map((spelling) => spelling.split('.')[0]!))
  const isWhole = (word: string): boolean =>
    wholes.has(word) || (hasOtherScript(word) && wholes.has(domainToASCII(word.normalize('NFC'))))
  return {
    domain,
    tld,
    label: domain.split('.')[0]!,
    isWhole,
    is: (word) => isWhole(word) || labels.has(word),
  }
}

const hasOtherScript = (word: string): boolean => /[^\u0000-\u007f]/.test(word) // oxlint-disable-line no-control-regex
