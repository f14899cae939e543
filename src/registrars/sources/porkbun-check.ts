import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { parsePriceUsd } from '../price-list.ts'
import type { Quote, RegistrarCheck } from '../registrar-check.ts'

export type PorkbunCheckOptions = {
  readonly upstream: Upstream
  /** URL of its `domain/checkDomain` call, without the domain. */
  readonly url: string
  readonly key: string
  readonly secretKey: string
}

/** Porkbun allows one check in ten seconds. */
const INTERVAL_MS = 10_000

export const porkbunCheck = ({ upstream, url, key, secretKey }: PorkbunCheckOptions): RegistrarCheck => ({
  intervalMs: INTERVAL_MS,
  async check(domain, signal) {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const body = JSON.stringify({ apikey: key, secretapikey: secretKey })
    const request = { url: `${url}/${domain}`, method: 'POST', headers, body, accept: [200, 400], signal } as const
    return parsePorkbunCheck((await upstream.request(request)).json())
  },
})

const Failed = z.object({ status: z.literal('ERROR'), message: z.string().default('') })
/** The fields we use; others are ignored. */
const Reply = z.object({
  status: z.literal('SUCCESS'),
  response: z.object({
    avail: z.enum(['yes', 'no']),
    premium: z.enum(['yes', 'no']),
    price: z.string(),
    additional: z.object({ renewal: z.object({ price: z.string() }).optional() }).optional(),
  }),
})

export function parsePorkbunCheck(body: unknown): Quote {
  const failed = Failed.safeParse(body)
  if (failed.success) throw errorOf(failed.data.message)
  const parsed = Reply.safeParse(body)
  if (!parsed.success) throw new UpstreamError('unavailable', 'Porkbun sent unexpected JSON', { cause: parsed.error })
  const { avail, premium, price, additional } = parsed.data.response
  if (avail === 'no' || premium === 'no') return { premium: false, registration: null, renewal: null }
  const registration = parsePriceUsd(price) ?? null
  return { premium: true, registration, renewal: parsePriceUsd(additional?.renewal?.price ?? '') ?? null }
}

const errorOf = (words: string): UpstreamError =>
  new UpstreamError(
    /key|auth/i.test(words) ? 'auth_error' : /limit|out of|second/i.test(words) ? 'rate_limited' : 'unavailable',
    'Porkbun answered with an error',
  )
