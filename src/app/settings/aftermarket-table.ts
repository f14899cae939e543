import * as kinds from './kinds.ts'
import { optional, type SettingTable, used } from './setting.ts'

/** Settings of the sources of `/v1/aftermarket`. */
export const AFTERMARKET_SETTINGS = {
  ONOMA_AFTERMARKET_SOURCE_A_URL: used(kinds.baseUrl, {
    default: 'https://api.sedo.com/api/v1/DomainStatus',
    meaning: 'URL of the call DomainStatus of Sedo, the first marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: optional(kinds.text, {
    unset: 'source_a is not used',
    meaning: 'Partner id at Sedo.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: optional(kinds.text, {
    unset: 'source_a is not used',
    meaning: 'Sign key at Sedo.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_A_USERNAME: optional(kinds.text, {
    unset: 'no login is sent',
    meaning: 'User name at Sedo, if it rejects the partner id alone (faults E5, E6, E12).',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_PASSWORD: optional(kinds.text, {
    unset: 'no login is sent',
    meaning: 'Password at Sedo, with the user name.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_A_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'Link to a name at Sedo with your affiliate id; {domain} stands for the name.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_URL: used(kinds.baseUrl, {
    default: 'https://api.dynadot.com/api3.xml',
    meaning: 'URL of the API of Dynadot, the second marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_KEY: optional(kinds.text, {
    unset: 'source_b is not used',
    meaning: 'API key at Dynadot. Its terms do not allow to pass on what the API says to third parties.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'Link to a name at Dynadot with your affiliate id; {domain} stands for the name.',
  }),
  ONOMA_AFTERMARKET_SOURCE_C_URL: used(kinds.baseUrl, {
    default: 'https://api.fastly.com/domain-management/v1/tools/status',
    meaning: 'URL of the status call of Fastly Domain Research, a further source.',
  }),
  ONOMA_AFTERMARKET_SOURCE_C_KEY: optional(kinds.text, {
    unset: 'source_c is not used',
    meaning: 'API token at Fastly. Every name that is looked up is charged by Fastly.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_D_URL: used(kinds.baseUrl, {
    default: 'https://api.porkbun.com/api/json/v3/marketplace/getAll',
    meaning: 'URL of the marketplace of Porkbun, a further source.',
  }),
  ONOMA_AFTERMARKET_SOURCE_D_KEY: optional(kinds.text, {
    unset: 'source_d is not used',
    meaning: 'API key at Porkbun.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_D_SECRET_KEY: optional(kinds.text, {
    unset: 'source_d is not used',
    meaning: 'Secret API key at Porkbun.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_DNS: used(kinds.onOrOff, {
    default: 'on',
    meaning:
      'Look up the _for-sale record and the name servers of every name (on), or only if `sources` includes dns_for_sale or name_servers (off).',
  }),
} as const satisfies SettingTable
