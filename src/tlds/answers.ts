import type * as z from 'zod'
import { tldOf } from '../kernel/names.ts'
import type { Catalogue, Tld } from './catalogue.ts'
import { CATEGORY_NAMES, TLD_TYPES, type CategoryName, type TldType } from './contract.ts'
import type { LegacyTldList, listTlds, SuffixInfo, SuffixList, TldCategory, TldInfo, TldList } from './contract.ts'

type TldAnswer = z.input<typeof listTlds.output>
type TldQuery = { readonly type?: TldType | undefined; readonly category?: CategoryName | undefined }

/**
 * All possible answers, built once. The same query always gets the same frozen object, so the HTTP surface can cache the
 * serialized form.
 */
export function createTldAnswers(catalogue: Catalogue): {
  readonly answer: (query: TldQuery) => TldAnswer
  readonly legacy: z.input<typeof LegacyTldList>
  readonly suffixes: (query: { readonly tld?: string | undefined }) => z.input<typeof SuffixList>
} {
  const categories = catalogue.categories.map(({ tlds, ...words }): z.input<typeof TldCategory> => ({
    ...words,
    count: tlds.length,
    tlds: [...tlds],
  }))
  const infos = catalogue.tlds.map(toInfo)
  const answers = new Map<string, TldAnswer>()

  answers.set(key({}), { total: infos.length, categories, all: infos.map(({ tld }) => tld) })
  for (const category of categories) {
    answers.set(key({ category: category.name }), { total: category.count, categories: [category] })
  }
  for (const type of TLD_TYPES) {
    const ofType = infos.filter((info) => info.type === type)
    answers.set(key({ type }), listOf(ofType))
    for (const category of CATEGORY_NAMES) {
      answers.set(key({ type, category }), listOf(ofType.filter((info) => info.categories.includes(category))))
    }
  }
  for (const answer of answers.values()) deepFreeze(answer)
  const suffixes = catalogue.secondLevel.map(toSuffixInfo)
  const suffixesOf = new Map(
    Map.groupBy(suffixes, ({ tld }) => tld)
      .entries()
      .map(([tld, below]) => [tld, deepFreeze(suffixListOf(below))]),
  )
  const allSuffixes = deepFreeze(suffixListOf(suffixes))
  const noSuffixes = deepFreeze(suffixListOf([]))
  return {
    suffixes: ({ tld }) => (tld === undefined ? allSuffixes : (suffixesOf.get(tld) ?? noSuffixes)),
    answer: (query) => answers.get(key(query))!,
    legacy: deepFreeze({
      count: infos.length,
      tlds: infos.map(({ tld, type, rdapServer, enabled }) => ({ tld, type, rdapServer, enabled })),
    }),
  }
}

const key = ({ type = '', category = '' }: { type?: string | undefined; category?: string | undefined }): string =>
  `${type} ${category}`

const listOf = (tlds: z.input<typeof TldInfo>[]): z.input<typeof TldList> => ({ total: tlds.length, tlds })

const suffixListOf = (suffixes: z.input<typeof SuffixInfo>[]): z.input<typeof SuffixList> => ({
  total: suffixes.length,
  suffixes,
})

const toSuffixInfo = ({ tld: suffix, lookup, rdapServer }: Tld): z.input<typeof SuffixInfo> => ({
  suffix,
  tld: tldOf(suffix),
  // The data file has no suffix without a server.
  source: lookup === 'rdap' ? 'rdap' : 'whois',
  rdapServer,
})

const toInfo = ({ tld, type, rdapServer, categories, enabled }: Tld): z.input<typeof TldInfo> => ({
  tld,
  type,
  rdapServer,
  categories: [...categories],
  enabled,
})

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
