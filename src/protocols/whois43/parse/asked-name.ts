import { domainToASCII, domainToUnicode } from 'node:url'

/** The queried domain, in every spelling an answer may use. */
export type AskedName = {
  /** Lower case, in ASCII form if it has one. */
  readonly domain: string
  readonly tld: string
  /** The first label: some registries name only that. */
  readonly label: string
  /** Whether a lower-case word is this domain in ASCII or Unicode, or its label alone. */
  is(word: string): boolean
  /** Like `is`, but the label alone does not match. */
  isWhole(word: string): boolean
}

export function createAskedName(question: { readonly domain: string; readonly tld: string }): AskedName {
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
