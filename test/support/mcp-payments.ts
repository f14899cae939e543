import assert from 'node:assert/strict'
import { Challenge, Credential } from 'mppx'
import { base64 } from '../../src/payments/sources/x402/x402.fixture.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Reply } from './door.ts'
import { fromBase64, type Payer, type PaymentHeaders, type Wallet } from './paid-wallets.ts'

export type Meta = Record<string, unknown>

export type ToolResult = {
  readonly content: readonly [{ readonly type: string; readonly text: string }]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly _meta?: Meta
}

export type RpcReply = {
  readonly id: number
  readonly result?: ToolResult
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

export type ToolCall = { readonly name: string; readonly arguments?: object; readonly _meta?: unknown }

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

export const formatToolCall = (params: ToolCall, id = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params,
})

/** Posts messages as a client of the 2025 revisions does; returns all answers, in the order of their ids. */
export async function postMcp(
  url: string,
  message: unknown,
  { signal, headers = {} }: { signal?: AbortSignal | undefined; headers?: Record<string, string> } = {},
): Promise<RpcReply[]> {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const init = { method: 'POST', headers: { ...HEADERS, ...headers }, body, ...(signal && { signal }) }
  const response = await fetch(`${url}/mcp`, init)
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  const lines = text.split('\n').filter((line) => line.startsWith('data: '))
  const replies = isStream ? lines.map((line) => JSON.parse(line.slice(6)) as RpcReply) : [JSON.parse(text) as RpcReply]
  return replies.toSorted((a, b) => a.id - b.id)
}

export async function callTool(url: string, call: ToolCall, signal?: AbortSignal): Promise<RpcReply> {
  const [reply] = await postMcp(url, formatToolCall(call), { signal })
  return reply!
}

const REQUIRED = 'org.paymentauth/payment-required'
export const X402_RECEIPT = 'x402/payment-response'
export const MPP_RECEIPT = 'org.paymentauth/receipt'
export const TOKEN = 'onoma/payment-token'

/** The body of a result that is an error. */
export function errorOf(reply: RpcReply): { error: string; message: string; [field: string]: unknown } {
  assert.equal(reply.result?.isError, true, JSON.stringify(reply))
  assert.equal(reply.result.structuredContent, undefined)
  return JSON.parse(reply.result.content[0].text) as { error: string; message: string }
}

/** Asked to pay for this reason, by both protocols, without a receipt. */
export function mustAskForPayment(reply: RpcReply, problem: string): void {
  const { error, accepts } = errorOf(reply)
  assert.equal(error, 'payment_required')
  assert.equal((accepts as unknown[]).length, 1)
  const required = reply.result!._meta![REQUIRED] as { challenges: unknown[]; problem: { type: string } }
  assert.equal(required.problem.type, `https://paymentauth.org/problems/${problem}`, JSON.stringify(reply))
  assert.equal(required.challenges.length, 1)
  assert.ok(!hasReceipt(reply))
}

export const hasReceipt = ({ result }: RpcReply): boolean =>
  [X402_RECEIPT, MPP_RECEIPT, TOKEN].some((key) => result?._meta?.[key] !== undefined)

/** Pays for a call as the payer does over HTTP: returns the payment as headers and as `_meta`. */
export async function payForCall(
  asked: RpcReply,
  payer: Payer,
  wallet: Wallet,
  clock: Clock,
): Promise<{ headers: PaymentHeaders; meta: Meta }> {
  const quote = errorOf(asked)
  const { challenges } = asked.result!._meta![REQUIRED] as { challenges: [Challenge.Challenge] }
  const headers = new Headers({
    'payment-required': base64(quote),
    'www-authenticate': Challenge.serialize(challenges[0]),
  })
  const paid = await payer({ status: 402, headers, text: '', body: quote } satisfies Reply, wallet, clock)
  return { headers: paid, meta: metaOf(paid) }
}

export function metaOf({ authorization, ...x402 }: PaymentHeaders): Meta {
  if (authorization !== undefined) return { 'org.paymentauth/credential': Credential.deserialize(authorization) }
  return { 'x402/payment': fromBase64(Object.values(x402)[0]!) }
}
