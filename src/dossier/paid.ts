import type { Endpoint, Price } from '../kernel/endpoint.ts'

type PaidPart = { readonly what: string; readonly usd: string; readonly path: string; readonly command: string }

/** What can be bought about a domain, and a command that pays for it, by MPP or x402, from an account of its own. */
export function paidParts(domain: string, endpointOf: (name: string) => Endpoint, publicUrl: string): PaidPart[] {
  const part = (what: string, endpoint: string, path: string, tier?: string): PaidPart => ({
    what,
    usd: usdOf(endpointOf(endpoint).price, tier),
    path,
    command: `npx mppx '${publicUrl}${path}'`,
  })
  const encoded = encodeURIComponent(domain)
  return [
    part('What the domain is worth', 'valueDomain', `/v1/valuation/${encoded}?tier=quick`, 'quick'),
    part('What it is worth, with comparable sales', 'valueDomain', `/v1/valuation/${encoded}?tier=full`, 'full'),
    part('Whether it is parked, and a screenshot', 'domainIntel', `/v1/intel?domain=${encoded}`),
  ]
}

function usdOf(price: Price | undefined, tier: string | undefined): string {
  if (price === undefined) return '0'
  return 'by' in price ? price.usd[tier ?? '']! : price.usd
}
