import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { parsePriceUsd, type TldPrice } from '../price-list.ts'

/** The fields we use; others are ignored. */
const Reply = z.object({
  status: z.literal('SUCCESS'),
  pricing: z.record(
    z.string(),
    z.object({ registration: z.string(), renewal: z.string(), specialType: z.string().optional() }),
  ),
})

export type ParsedPrices = {
  readonly prices: ReadonlyMap<string, TldPrice>
  /** TLDs whose price is negative or implausible. */
  readonly refused: readonly string[]
}

/** Porkbun's price list of all TLDs, which needs no account. */
export async function fetchPorkbunPrices(
  { upstream, url }: { readonly upstream: Upstream; readonly url: string },
  signal: AbortSignal | undefined,
): Promise<ParsedPrices> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const reply = await upstream.request({ url, method: 'POST', headers, body: '{}', accept: [200], signal })
  return parsePorkbunPrices(reply.json())
}

export function parsePorkbunPrices(body: unknown): ParsedPrices {
  const parsed = Reply.safeParse(body)
  if (!parsed.success)
    throw new UpstreamError('unavailable', 'the price list has another form', { cause: parsed.error })
  const prices = new Map<string, TldPrice>()
  const refused: string[] = []
  for (const [tld, { registration, renewal, specialType }] of Object.entries(parsed.data.pricing)) {
    // Names of Handshake are not in the DNS.
    if (specialType === 'handshake') continue
    const [first, further] = [parsePriceUsd(registration), parsePriceUsd(renewal)]
    if (first === undefined || further === undefined) refused.push(tld)
    else prices.set(tld.toLowerCase(), { registration: first, renewal: further })
  }
  return { prices, refused }
}
