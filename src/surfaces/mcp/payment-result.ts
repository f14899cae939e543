import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { formatMoney, type Usd } from '../../kernel/money.ts'
import type { PaidAnswer } from '../../kernel/paywall.ts'
import { META } from './payment-meta.ts'

/** What the paywall said to the call of a paid tool. */
export type PaidOutcome = {
  readonly paid: Pick<PaidAnswer, 'status' | 'headers' | 'body'>
  readonly price: Usd
}

type Fields = Readonly<Record<string, unknown>>
type Problem = Readonly<Record<'type' | 'title' | 'detail' | 'message', string>> & { readonly challengeId?: string }

const PROBLEMS = 'https://paymentauth.org/problems/'

/** The answer of a paid tool with its receipt, or how to pay for it. `challengeId` is that of the payment in the call. */
export function paidResult(
  { paid, price }: PaidOutcome,
  endpoint: Pick<Endpoint, 'name' | 'summary'>,
  challengeId: string | undefined,
): CallToolResult {
  const { status, body } = paid
  if (status === 402) return paymentRequired(paid, price, endpoint)
  const meta = metaOf(paid, challengeId)
  const content = [{ type: 'text' as const, text: body }]
  if (status >= 400) return { content, isError: true, ...meta }
  return { content, structuredContent: JSON.parse(body) as Fields, ...meta }
}

/**
 * One result for both protocols: x402's PaymentRequired is the text, MPP's challenges are in `_meta`.
 *
 * x402 wants PaymentRequired in `structuredContent` too. It is left out, because every tool has an output schema, and
 * clients of the first SDK generation check structured content against it even in an error: they would throw instead of
 * showing how to pay. x402 clients fall back to the text. MPP's error −32042 is not used either: it would hide x402, and it
 * is also MCP's code for URL elicitation.
 */
function paymentRequired(
  { headers, body }: PaidOutcome['paid'],
  price: Usd,
  { name, summary }: Pick<Endpoint, 'name' | 'summary'>,
): CallToolResult {
  const { type, title, detail, message, challengeId } = JSON.parse(body) as Problem
  if (type === `${PROBLEMS}malformed-credential`)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message, { type, title, status: 400, detail })
  const usd = formatMoney(price)
  const x402 = headerOf(headers, 'PAYMENT-REQUIRED')
  const challenge = headerOf(headers, 'WWW-Authenticate')
  const { error: _, ...quote } = x402 === undefined ? {} : (decodeJson(x402) as Fields)
  const isFirst = type === `${PROBLEMS}payment-required`
  const sentence = isFirst
    ? `${name} costs $${usd}. Call it again with the same arguments and one payment in params._meta, as waysToPay says.`
    : message
  const text = JSON.stringify({
    error: 'payment_required',
    message: sentence,
    buys: summary,
    priceUsd: usd,
    waysToPay: [...(x402 === undefined ? [] : [PAY_BY_X402]), ...(challenge === undefined ? [] : [PAY_BY_MPP])],
    ...quote,
  })
  const problem = { type, title, status: 402, detail: sentence, ...(challengeId !== undefined && { challengeId }) }
  const required = challenge !== undefined && {
    [META.mppRequired]: { httpStatus: 402, challenges: [parseChallenge(challenge)], problem },
  }
  return {
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { ...metaOf({ headers }, undefined)._meta, ...required },
  }
}

const PAY_BY_X402 = {
  protocol: 'x402',
  quote: 'accepts',
  send: `params._meta["${META.x402Payment}"]: the PaymentPayload (x402Version 2) as an object`,
  receipt: `result._meta["${META.x402Receipt}"]`,
}

const PAY_BY_MPP = {
  protocol: 'MPP',
  quote: `result._meta["${META.mppRequired}"].challenges`,
  send: `params._meta["${META.mppCredential}"]: {"challenge", "payload", "source"} as an object`,
  receipt: `result._meta["${META.mppReceipt}"]`,
}

/** Headers of the paywall and of the door that have a place in `_meta`. */
function metaOf(
  { headers }: Pick<PaidAnswer, 'headers'>,
  challengeId: string | undefined,
): Pick<CallToolResult, '_meta'> {
  const x402 = headerOf(headers, 'PAYMENT-RESPONSE') ?? headerOf(headers, 'X-PAYMENT-RESPONSE')
  const mpp = headerOf(headers, 'Payment-Receipt')
  const entries: readonly (readonly [key: string, value: unknown])[] = [
    [META.x402Receipt, x402 && decodeJson(x402)],
    [META.mppReceipt, mpp && { ...(decodeJson(mpp) as Fields), challengeId }],
    [META.token, headerOf(headers, 'Payment-Token')],
    [META.creditBalance, headerOf(headers, 'Credit-Balance')],
    [META.mode, headerOf(headers, 'X-Payments-Mode')],
    [META.rpc, headerOf(headers, 'X-Payments-Rpc')],
  ]
  const known = entries.filter(([, value]) => value !== undefined)
  return known.length === 0 ? {} : { _meta: Object.fromEntries(known) }
}

/** A challenge of ours as MPP's binding has it: `request` is an object, and `opaque` stays text. */
function parseChallenge(header: string): Fields {
  const challenge: Record<string, unknown> = {}
  for (const [, name, value] of header.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) challenge[name!] = unquote(value!)
  return { ...challenge, request: decodeJson(challenge['request'] as string) }
}

/** Undoes the escapes of a quoted string, and those of characters that a header cannot carry. */
const unquote = (text: string): string =>
  text.replaceAll(/\\(?:u([\da-f]{4})|(.))/g, (_, unit: string | undefined, char: string) =>
    unit === undefined ? char : String.fromCharCode(Number.parseInt(unit, 16)),
  )

/** Base64 or base64url. */
const decodeJson = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString())

function headerOf(headers: readonly string[], name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1]
  return undefined
}
