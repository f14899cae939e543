import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { DomainName } from '../kernel/names.ts'
import { hasControlCharacter } from '../kernel/control-characters.ts'
import { PRICED_REGISTRAR, PRICED_TLDS, REGISTRARS, type RegistrarLink, type RegistrarSlug } from './contract.ts'
import type { PriceList } from './price-list.ts'

/** A registrar as configured by the operator. */
export type Registrar = {
  readonly slug: RegistrarSlug
  readonly name: string
  /** A URL with `{domain}` as a placeholder. */
  readonly link: string
  /** The link with the operator's affiliate id; empty without one. */
  readonly affiliateLink: string
  /** Prices of the file, for the TLDs for which the contract allows one; null without any. */
  readonly prices: FilePrices | null
  /** The public price list that replaces them once it was fetched; null for none. */
  readonly priceList: 'porkbun' | null
}

type FilePrices = {
  /** US dollars for the first year, by TLD. */
  readonly registration: ReadonlyMap<string, number>
  /** YYYY-MM-DD; null if the file does not say. */
  readonly asOf: string | null
}

type LinkOptions = {
  /** The TLD. */
  readonly suffix: string
  /** The current price list of the registrar; null if it has none. */
  readonly list: PriceList | null
  /** The prices of the TLD do not hold for a premium name. */
  readonly isPremium: boolean
}

/** The link of one registrar for one domain. */
export function createLink(
  registrar: Registrar,
  domain: DomainName,
  { suffix, list, isPremium }: LinkOptions,
): z.input<typeof RegistrarLink> {
  const { slug, name, link, affiliateLink } = registrar
  const url = (affiliateLink || link).replaceAll('{domain}', encodeURIComponent(domain))
  return { name, slug, url, ...(!isPremium && pricesOf(registrar, suffix, list)) }
}

type LinkPrices = Pick<
  z.input<typeof RegistrarLink>,
  'estimatedPrice' | 'registrationPrice' | 'renewalPrice' | 'priceAsOf'
>

/** What the registrar asks for a domain under the TLD; empty if unknown. */
export function pricesOf({ slug, prices }: Registrar, suffix: string, list: PriceList | null): LinkPrices {
  const listed = list?.prices.get(suffix)
  const registrationPrice = listed?.registration ?? prices?.registration.get(suffix)
  if (registrationPrice === undefined) return {}
  const isEstimated = slug === PRICED_REGISTRAR && PRICED_TLDS.some((tld) => tld === suffix)
  const asOf = list && listed ? new Date(list.asOf).toISOString().slice(0, 10) : prices?.asOf
  return {
    ...(isEstimated && { estimatedPrice: registrationPrice }),
    registrationPrice,
    ...(typeof listed?.renewal === 'number' && { renewalPrice: listed.renewal }),
    ...(typeof asOf === 'string' && { priceAsOf: asOf }),
  }
}

/** The registrars that come with the project. */
export const loadBundledRegistrars = (): readonly Registrar[] =>
  parseRegistrars(readFileSync(new URL('../../data/registrars.json', import.meta.url), 'utf8'))

/** Parses a file in the format of `data/registrars.json`. Errors are written for the operator. */
export function parseRegistrars(text: string): readonly Registrar[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw new Error('The registrars file is not JSON.', { cause })
  }
  const parsed = RegistrarFile.safeParse(content)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!
    throw new Error(`The registrars file is wrong at ${path.map(String).join('.') || 'the top level'}: ${message}.`)
  }
  return REGISTRARS.map((slug) => {
    const { prices: table, pricesAsOf = null, priceList = null, ...rest } = parsed.data[slug]
    const prices = table ? { registration: new Map(Object.entries(table)), asOf: pricesAsOf } : null
    return { slug, ...rest, prices, priceList }
  })
}

const name = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => !hasControlCharacter(text), 'must not contain a control character')
const link = z.string().superRefine((text, context) => {
  const problem = findLinkProblem(text)
  if (problem !== undefined) context.addIssue(problem)
})
const affiliateLink = z
  .string()
  .default('')
  .superRefine((text, context) => {
    const problem = text === '' ? undefined : findLinkProblem(text)
    if (problem !== undefined) context.addIssue(problem)
  })
const prices = z
  .record(z.string(), z.number('must be a number of US dollars').positive().max(1_000_000))
  .refine(
    (table) => Object.keys(table).every((tld) => PRICED_TLDS.some((priced) => priced === tld)),
    `may name only ${PRICED_TLDS.join(', ')}`,
  )
const noPrices = z.never(`only ${PRICED_REGISTRAR} may have prices`)

const Settings = z.strictObject({
  name,
  link,
  affiliateLink,
  prices: noPrices.optional(),
  pricesAsOf: noPrices.optional(),
  priceList: noPrices.optional(),
})
const RegistrarFile = z.strictObject({
  registrar_a: Settings.extend({
    prices: prices.optional(),
    pricesAsOf: z.iso.date('must be a day such as 2026-11-15').optional(),
    priceList: z.literal('porkbun', 'must be porkbun').optional(),
  }),
  registrar_b: Settings,
  registrar_c: Settings,
})

function findLinkProblem(text: string): string | undefined {
  if (hasControlCharacter(text)) return 'must not contain a control character'
  if (!text.startsWith('https://')) return 'must start with https://'
  if (!text.includes('{domain}')) return 'must contain {domain}, which is replaced by the domain'
  if (/[{}]/.test(text.replaceAll('{domain}', ''))) return 'must have no other braces than those of {domain}'
  const [one, other] = ['a.example', 'b.example'].map((domain) => URL.parse(text.replaceAll('{domain}', domain)))
  if (!one || !other) return 'must be a URL'
  if (one.host !== other.host) return 'must not have {domain} in its host'
  if (one.username !== '' || one.password !== '') return 'must not contain a user name or password'
  return undefined
}
