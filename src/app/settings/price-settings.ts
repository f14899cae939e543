/** Settings of prices and premium names. */
import type { Values } from './providers.ts'

export type PriceSettings = {
  /** Null if prices are not refreshed. */
  readonly url: string | null
  /** Null if no registrar is asked about premium names. */
  readonly premium:
    | { readonly registrar: 'porkbun'; readonly url: string; readonly key: string; readonly secretKey: string }
    | {
        readonly registrar: 'namecheap'
        readonly url: string
        readonly key: string
        readonly user: string
        readonly clientIp: string
      }
    | null
}

const PREMIUM_URLS = {
  porkbun: 'https://api.porkbun.com/api/json/v3/domain/checkDomain',
  namecheap: 'https://api.namecheap.com/xml.response',
}

export function priceSettings(values: Values): PriceSettings {
  const { ONOMA_PREMIUM_REGISTRAR: registrar, ONOMA_PREMIUM_KEY: key } = values
  const { ONOMA_PREMIUM_SECRET_KEY: secretKey, ONOMA_PREMIUM_USER: user, ONOMA_PREMIUM_CLIENT_IP: clientIp } = values
  const premium = (): PriceSettings['premium'] => {
    if (registrar === null) return null
    const url = values.ONOMA_PREMIUM_URL ?? PREMIUM_URLS[registrar]
    return registrar === 'porkbun'
      ? { registrar, url, key: key ?? '', secretKey: secretKey ?? '' }
      : { registrar, url, key: key ?? '', user: user ?? '', clientIp: clientIp ?? '' }
  }
  return Object.freeze({ url: values.ONOMA_PRICES_URL, premium: premium() })
}

const REQUIRED = {
  porkbun: ['ONOMA_PREMIUM_KEY', 'ONOMA_PREMIUM_SECRET_KEY'],
  namecheap: ['ONOMA_PREMIUM_KEY', 'ONOMA_PREMIUM_USER', 'ONOMA_PREMIUM_CLIENT_IP'],
} as const

/** Settings that the chosen registrar needs. */
export function priceProblems(values: Values): string[] {
  const { ONOMA_PREMIUM_REGISTRAR: registrar } = values
  if (registrar === null) {
    return values.ONOMA_PREMIUM_KEY === null ? [] : ['ONOMA_PREMIUM_REGISTRAR is missing: ONOMA_PREMIUM_KEY is set.']
  }
  return REQUIRED[registrar]
    .filter((name) => values[name] === null)
    .map((name) => `${name} is missing: ONOMA_PREMIUM_REGISTRAR is ${registrar}.`)
}
