/** What each capability answers, for the reader of a list of endpoints. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  availability: 'Is a name free, and under which TLDs.',
  tlds: 'The TLDs the service knows, and the categories they are in.',
  registrars: 'Where a domain can be registered.',
  aftermarket: 'Whether a taken domain is for sale, where and for how much.',
  presence: 'How visible a name already is in search engines.',
  whois: 'Who holds a domain, and until when.',
  dns: 'What a domain points at.',
  intel: 'Whether a domain is parked, and what its page looks like.',
  valuation: 'What a domain is worth.',
  auctions: 'Domains under the hammer now.',
  trademark: 'Whether a name is somebody’s mark.',
  ens: 'Names under .eth: whether they are free, what they hold, and how to take or renew them.',
  payments: 'Something to pay for with play money, in the sandbox only.',
  health: 'Whether the service is up.',
}

export const describeCapability = (capability: string): string =>
  DESCRIPTIONS[capability] ?? capability.charAt(0).toUpperCase() + capability.slice(1)
