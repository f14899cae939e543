import type { Hex, PaymentChallenge, Offer } from '../../scheme.ts'
import type { Network, Token } from './network.ts'
import { IDENTIFIER_ANNOUNCEMENT, PAYMENT_IDENTIFIER } from './payment-identifiers.ts'
import type { Sealer } from './seal.ts'

type Needs = { readonly network: Network; readonly token: Token; readonly payTo: Hex }

type ChallengerNeeds = Needs & {
  readonly sealer: Pick<Sealer, 'seal'>
  /** How a facilitator may list an endpoint (extension `bazaar`); undefined if it may not. */
  readonly discovery?: ((scope: string) => object | undefined) | undefined
}

/** Payment requirements of version 2; the client sends them back unchanged. */
export type Requirements = {
  readonly scheme: 'exact'
  readonly network: string
  readonly amount: string
  readonly asset: Hex
  readonly payTo: Hex
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly name: string; readonly version: string }
}

/** How long a payment may take, and how long a 402 is honoured after the settings have changed. */
export const MAX_TIMEOUT_SECONDS = 300
export const MIME_TYPE = 'application/json'

export const createRequirements = ({ network, token, payTo }: Needs, price: bigint): Requirements => ({
  scheme: 'exact',
  network: network.id,
  amount: String(price),
  asset: token.address,
  payTo,
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  extra: { name: token.name, version: token.version },
})

/**
 * Creates the x402 part of a 402: version 2 in the `PAYMENT-REQUIRED` header, version 1 in the body.
 * `X-PAYMENT-REQUIREMENTS` is in no specification, but some clients expect the version 1 body there, in base64.
 * A 402 costs the client nothing, so everything that does not depend on the request is serialized once.
 */
export function createChallenger(needs: ChallengerNeeds): (offer: Offer, why: string | undefined) => PaymentChallenge {
  const { network, token, payTo, sealer, discovery } = needs
  const extra = { name: token.name, version: token.version }
  const shared = { payTo, maxTimeoutSeconds: MAX_TIMEOUT_SECONDS, asset: token.address, extra }
  const sharedText = JSON.stringify(shared).slice(1)
  const v1Start = `{"scheme":"exact","network":${JSON.stringify(network.name)},"maxAmountRequired":"`
  const acceptsByPrice = new Map<bigint, string>()
  const acceptsFor = (price: bigint): string => {
    let accepts = acceptsByPrice.get(price)
    if (accepts === undefined) {
      // Without the closing braces of `extra` and the whole: the seal follows.
      accepts = `"accepts":[${JSON.stringify(createRequirements(needs, price)).slice(0, -2)}`
      acceptsByPrice.set(price, accepts)
    }
    return accepts
  }
  const extensionsByScope = new Map<string, string>()
  const extensionsFor = (scope: string): string => {
    let text = extensionsByScope.get(scope)
    if (text === undefined) {
      const bazaar = discovery?.(scope)
      text = JSON.stringify({ [PAYMENT_IDENTIFIER]: IDENTIFIER_ANNOUNCEMENT, ...(bazaar && { bazaar }) })
      extensionsByScope.set(scope, text)
    }
    return text
  }
  return (offer, why = 'Payment required') => {
    const { price, url, description, scope } = offer
    const seal = sealer.seal({ amount: String(price), payTo }, offer)
    const [address, text, error] = [JSON.stringify(url), JSON.stringify(description), JSON.stringify(why)]
    const resource = `{"url":${address},"description":${text},"mimeType":"${MIME_TYPE}"}`
    const v2 = `{"x402Version":2,"error":${error},"resource":${resource},${acceptsFor(price)},"seal":"${seal}"}}],"extensions":${extensionsFor(scope)}}`
    const v1Fields = `"resource":${address},"description":${text},"mimeType":"${MIME_TYPE}",${sharedText}`
    const accepts = `"accepts":[${v1Start}${price}",${v1Fields}]`
    const v1 = `{"x402Version":1,"error":${error},${accepts}}`
    return {
      headers: ['PAYMENT-REQUIRED', encodeBase64(v2), 'X-PAYMENT-REQUIREMENTS', encodeBase64(v1)],
      members: `"x402Version":1,${accepts}`,
    }
  }
}

export const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64')
