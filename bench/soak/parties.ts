import type { Upstream } from '../mix/parts.ts'

/** Servers that are stopped and started together. */
export type Party = Upstream | 'feeds'

export const PARTIES: readonly Party[] = ['dns', 'rdap', 'whois', 'ethereum', 'feeds']

/** Settings that name the servers of a party, or a file that does. */
export const PARTY_OF_SETTING: Readonly<Record<string, Party>> = {
  ONOMA_DNS_SERVERS: 'dns',
  ONOMA_TLD_SERVERS: 'dns',
  ONOMA_RDAP_BOOTSTRAP: 'rdap',
  ONOMA_WHOIS_SERVERS: 'whois',
  ONOMA_ETH_RPC_URLS: 'ethereum',
  ONOMA_AUCTIONS_SOURCE_A_URL: 'feeds',
  ONOMA_AUCTIONS_SOURCE_B_URL: 'feeds',
  ONOMA_AUCTIONS_SOURCE_C_URL: 'feeds',
}
