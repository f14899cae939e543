import { text } from './json.ts'

/** The contact data of an entity, from either of the two card formats. */
export type Contact = {
  readonly name: string | undefined
  readonly organization: string | undefined
  readonly isOrganization: boolean
  readonly country: string | undefined
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly url: string | undefined
}

/** RFC 3966 (`tel:+1.555;ext=12`) or plain text → EPP's form (`+1.555x12`). */
export function phoneNumber(said: string | undefined): string | undefined {
  const bare = said?.replace(/^(?:tel|callto):/i, '').replace(/;ext=/i, 'x')
  // Other parameters of the URI are dropped.
  const number = text(bare?.replace(/;.*$/, ''))
  return number !== undefined && /\d/.test(number) ? number : undefined
}

/** Upper-cases a country code (ISO 3166); a country name stays unchanged. */
export const normalizeCountry = (said: string | undefined): string | undefined =>
  said !== undefined && /^[a-z]{2}$/i.test(said) ? said.toUpperCase() : said
