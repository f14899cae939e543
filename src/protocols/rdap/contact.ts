import { text } from './json.ts'

/** What an entity's card says, whichever of the two card formats it uses. */
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
  // Other parameters of the URI say nothing to a caller.
  const number = text(bare?.replace(/;.*$/, ''))
  return number !== undefined && /\d/.test(number) ? number : undefined
}

/** Codes in capitals, as ISO 3166 has them; a country's name stays as it was said. */
export const countryWord = (said: string | undefined): string | undefined =>
  said !== undefined && /^[a-z]{2}$/i.test(said) ? said.toUpperCase() : said
