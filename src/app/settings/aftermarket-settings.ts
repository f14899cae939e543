/** Settings of the sources of `/v1/aftermarket`. */
import type { Values } from './providers.ts'

/** Null for a marketplace that is not configured. */
export type AftermarketSettings = {
  readonly sourceA: {
    readonly url: string
    readonly partnerId: string
    readonly signKey: string
    readonly login: { readonly username: string; readonly password: string } | null
    readonly affiliatePage: string | null
  } | null
  readonly sourceB: { readonly url: string; readonly key: string; readonly affiliatePage: string | null } | null
  readonly sourceC: { readonly url: string; readonly key: string } | null
  readonly sourceD: { readonly url: string; readonly key: string; readonly secretKey: string } | null
  /** Whether the `_for-sale` record and the name servers of every name are looked up. */
  readonly dns: boolean
}

export function aftermarketSettings(values: Values): AftermarketSettings {
  const { ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: partnerId, ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: signKey } = values
  const { ONOMA_AFTERMARKET_SOURCE_A_USERNAME: username, ONOMA_AFTERMARKET_SOURCE_A_PASSWORD: password } = values
  const { ONOMA_AFTERMARKET_SOURCE_B_KEY: keyB, ONOMA_AFTERMARKET_SOURCE_C_KEY: keyC } = values
  const { ONOMA_AFTERMARKET_SOURCE_D_KEY: keyD, ONOMA_AFTERMARKET_SOURCE_D_SECRET_KEY: secretKey } = values
  return Object.freeze({
    sourceA:
      partnerId === null || signKey === null
        ? null
        : {
            url: values.ONOMA_AFTERMARKET_SOURCE_A_URL,
            partnerId,
            signKey,
            login: username === null || password === null ? null : { username, password },
            affiliatePage: values.ONOMA_AFTERMARKET_SOURCE_A_AFFILIATE_LINK,
          },
    sourceB:
      keyB === null
        ? null
        : {
            url: values.ONOMA_AFTERMARKET_SOURCE_B_URL,
            key: keyB,
            affiliatePage: values.ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK,
          },
    sourceC: keyC === null ? null : { url: values.ONOMA_AFTERMARKET_SOURCE_C_URL, key: keyC },
    sourceD:
      keyD === null || secretKey === null ? null : { url: values.ONOMA_AFTERMARKET_SOURCE_D_URL, key: keyD, secretKey },
    dns: values.ONOMA_AFTERMARKET_DNS,
  })
}

/** Settings that are required together; a marketplace with half its credentials would silently not be asked. */
const TOGETHER = [
  ['ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID', 'ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY'],
  ['ONOMA_AFTERMARKET_SOURCE_A_USERNAME', 'ONOMA_AFTERMARKET_SOURCE_A_PASSWORD'],
  ['ONOMA_AFTERMARKET_SOURCE_D_KEY', 'ONOMA_AFTERMARKET_SOURCE_D_SECRET_KEY'],
] as const satisfies readonly (readonly [keyof Values, keyof Values])[]

export const aftermarketProblems = (values: Values): string[] =>
  TOGETHER.flatMap(([one, other]) => {
    if ((values[one] === null) === (values[other] === null)) return []
    const [missing, set] = values[one] === null ? [one, other] : [other, one]
    return [`${missing} is missing: ${set} is set.`]
  })
