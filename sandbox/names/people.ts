import type { Registration } from '../../src/kernel/registration.ts'

/** An invented registrar, with host names and phone numbers reserved for examples. */
const registrar = (name: string, host: string, at: number): NonNullable<Registration['registrar']> => ({
  name,
  url: `https://www.${host}.example`,
  abuseEmail: `abuse@${host}.example`,
  abusePhone: `+1.555555010${at}`,
  ianaId: String(90_001 + at),
})

export const REGISTRARS = [
  registrar('Quillfeather Domains Inc.', 'quillfeather', 0),
  registrar('Harbour and Finch Registrations Ltd', 'harbour-finch', 1),
  registrar('Sandkasten Namen GmbH', 'sandkasten', 2),
  registrar('Tidewrack Registrar LLC', 'tidewrack', 3),
  registrar('Bureau Merlette SARL', 'merlette', 4),
]

export const HOSTERS = ['larkspur-dns', 'ninefold-hosting', 'tern-and-tide', 'basalt-cloud', 'oxbow-web']

export const GIVEN_NAMES = ['Ada', 'Bruno', 'Celia', 'Dimitri', 'Esme', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas']

export const FAMILY_NAMES = ['Brackwater', 'Candlemaker', 'Dunnock', 'Fernhollow', 'Greywether', 'Lindqvarn', 'Oakmire']

export const ORGANIZATIONS = [
  'Brackwater Boats Ltd',
  'Candlemaker and Daughters',
  'Dunnock Analytics Inc.',
  'Fernhollow Foods GmbH',
  'Greywether Press',
  'Oakmire Cycles BV',
]

export const COUNTRIES = ['AR', 'CA', 'DE', 'FI', 'FR', 'GB', 'JP', 'NL', 'NZ', 'US']
