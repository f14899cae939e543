import type { Hex, PaymentChallenge, Offer } from '../../scheme.ts'
import type { Network, Token } from './network.ts'

type Needs = { readonly network: Network; readonly token: Token; readonly payTo: Hex }

/** Version 2's words for what is wanted; a client sends them back as they are. */
export type Requirements = {
  readonly scheme: 'exact'
  readonly network: string
  readonly amount: string
  readonly asset: Hex
  readonly payTo: Hex
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly name: string; readonly version: string }
}

const MAX_TIMEOUT_SECONDS = 300
const MIME_TYPE = 'application/json'

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
 * The 402 in the words of x402: version 2 in `PAYMENT-REQUIRED`, version 1 in the body. `X-PAYMENT-REQUIREMENTS`
 * stands in no specification; those who look for it take base64 of what version 1 has in the body, and get that.
 * Anybody can ask for a 402 at no cost, so only what differs between two requests is put into words each time.
 */
export function createChallenger(needs: Needs): (offer: Offer, why: string | undefined) => PaymentChallenge {
  const { network, token, payTo } = needs
  const extra = { name: token.name, version: token.version }
  const shared = { payTo, maxTimeoutSeconds: MAX_TIMEOUT_SECONDS, asset: token.address, extra }
  const sharedText = JSON.stringify(shared).slice(1)
  const beginning = `{"scheme":"exact","network":${JSON.stringify(network.name)},"maxAmountRequired":"`
  const acceptsByPrice = new Map<bigint, string>()
  const acceptsFor = (price: bigint): string => {
    let accepts = acceptsByPrice.get(price)
    if (accepts === undefined) {
      accepts = `"accepts":[${JSON.stringify(createRequirements(needs, price))}]}`
      acceptsByPrice.set(price, accepts)
    }
    return accepts
  }
  return ({ price, url, description }, why = 'Payment required') => {
    const [address, about, error] = [JSON.stringify(url), JSON.stringify(description), JSON.stringify(why)]
    const resource = `{"url":${address},"description":${about},"mimeType":"${MIME_TYPE}"}`
    const second = `{"x402Version":2,"error":${error},"resource":${resource},${acceptsFor(price)}`
    const what = `"resource":${address},"description":${about},"mimeType":"${MIME_TYPE}",${sharedText}`
    const accepts = `"accepts":[${beginning}${price}",${what}]`
    const first = `{"x402Version":1,"error":${error},${accepts}}`
    return {
      headers: ['PAYMENT-REQUIRED', encodeBase64(second), 'X-PAYMENT-REQUIREMENTS', encodeBase64(first)],
      members: `"x402Version":1,${accepts}`,
    }
  }
}

export const encodeBase64 = (text: string): string => Buffer.from(text).toString('base64')
