import * as kinds from './kinds.ts'
import { optional, type SettingTable, used } from './setting.ts'

/** Settings of prices and premium names. */
export const PRICE_SETTINGS = {
  ONOMA_PRICES_URL: used(kinds.urlOrOff, {
    default: 'https://api.porkbun.com/api/json/v3/pricing/get',
    meaning:
      "URL of Porkbun's public price list, which is fetched once a day; off shows the bundled prices, which are older.",
  }),
  ONOMA_PREMIUM_REGISTRAR: optional(kinds.oneOf('porkbun', 'namecheap'), {
    unset: 'only registries say which names are premium',
    meaning: 'Registrar at which you have a key and that is asked whether a name is premium: porkbun or namecheap.',
  }),
  ONOMA_PREMIUM_URL: optional(kinds.baseUrl, {
    unset: "the registrar's own",
    meaning: 'URL of the call that checks a name: domain/checkDomain of Porkbun, xml.response of Namecheap.',
  }),
  ONOMA_PREMIUM_KEY: optional(kinds.text, { unset: 'none', meaning: 'API key at that registrar.', secret: true }),
  ONOMA_PREMIUM_SECRET_KEY: optional(kinds.text, {
    unset: 'none',
    meaning: 'Secret API key at that registrar, for porkbun.',
    secret: true,
  }),
  ONOMA_PREMIUM_USER: optional(kinds.text, { unset: 'none', meaning: 'User at that registrar, for namecheap.' }),
  ONOMA_PREMIUM_CLIENT_IP: optional(kinds.ipAddress, {
    unset: 'none',
    meaning: 'Address of this machine that is allowed at that registrar, for namecheap.',
  }),
} as const satisfies SettingTable
