import { type DraftMessage, encodeMessage } from '../../src/protocols/dns/encode.ts'
import { CLASS_IN, type DnsMessage, type DnsRecord, RCODES } from '../../src/protocols/dns/message.ts'
import type { Outcome } from '../outcome.ts'

/** What a name server does with one query. */
export type ScriptedReply = {
  /** Delay before the action. */
  readonly delayMs: number
  readonly action:
    | { readonly kind: 'silence' }
    | { readonly kind: 'send'; readonly message: Buffer }
    /** TCP only: the message in small pieces, with a wait before each. */
    | { readonly kind: 'drip'; readonly message: Buffer; readonly ms: number }
    /** TCP only: a part of the message, then the connection ends. */
    | { readonly kind: 'cut'; readonly message: Buffer }
    | { readonly kind: 'reset' }
}

type ReceivedQuery = {
  readonly query: DnsMessage
  readonly bytes: Buffer
  readonly isTcp: boolean
}

const HEADER_BYTES = 12
/** The limit without EDNS0, and the largest datagram that no network fragments. */
const MIN_UDP_BYTES = 512
const MAX_UDP_BYTES = 1232

/** The reply that a scripted outcome gives to one query. Outcomes that need a connection are answered with the TC bit over UDP. */
export function scriptReply(outcome: Outcome, draft: DraftMessage, received: ReceivedQuery): ScriptedReply {
  const { isTcp } = received
  const whole = encodeReply(draft, received)
  const send = (message: Buffer, delayMs = 0): ScriptedReply => ({ delayMs, action: { kind: 'send', message } })
  const sendTruncated = () => send(encodeReply({ flags: { ...draft.flags, truncated: true } }, received))
  const overTcp = (action: ScriptedReply['action']): ScriptedReply => (isTcp ? { delayMs: 0, action } : sendTruncated())
  switch (outcome.kind) {
    case 'ok':
      return send(whole)
    case 'slow':
      return send(whole, outcome.ms)
    case 'hang':
      return { delayMs: 0, action: { kind: 'silence' } }
    case 'denied':
      return send(encodeReply({ rcode: RCODES.REFUSED }, received))
    case 'broken':
      return send(encodeReply({ rcode: RCODES.SERVFAIL }, received))
    case 'down':
      // Without the question section, as overloaded servers answer.
      return send(encodeMessage({ id: received.query.id, rcode: RCODES.SERVFAIL, flags: { response: true } }))
    case 'foreign':
      return send(foreignMessage(received))
    case 'half':
      return send(whole.subarray(0, Math.floor(whole.length / 2)))
    case 'redirect':
      return send(encodeReply({ authority: [{ name: '', ttl: 86_400, type: 'NS', host: 'a.root.example' }] }, received))
    case 'throttled':
      return isTcp ? send(whole) : sendTruncated()
    case 'drip':
      return overTcp({ kind: 'drip', message: whole, ms: outcome.ms })
    case 'cut':
      return overTcp({ kind: 'cut', message: whole })
    case 'reset':
      return overTcp({ kind: 'reset' })
    case 'huge':
      return overTcp({ kind: 'send', message: encodeReply({ ...draft, additional: padding() }, received) })
  }
}

/** The encoded answer; truncated, with the TC bit, if it does not fit a datagram. */
export function encodeReply(draft: DraftMessage, { query, bytes, isTcp }: ReceivedQuery): Buffer {
  const edns = query.edns === null ? null : { udpSize: MAX_UDP_BYTES, dnssecOk: query.edns.dnssecOk }
  const flags = { ...draft.flags, response: true, recursionDesired: query.flags.recursionDesired }
  const head = { id: query.id, questions: query.questions, edns }
  const message = encodeMessage({ ...draft, ...head, flags })
  const maxBytes = isTcp
    ? 0xffff
    : Math.max(MIN_UDP_BYTES, Math.min(query.edns?.udpSize ?? MIN_UDP_BYTES, MAX_UDP_BYTES))
  const sent = message.length <= maxBytes ? message : encodeMessage({ ...head, flags: { ...flags, truncated: true } })
  // Repeat the question in its original case: clients with DNS 0x20 check it.
  bytes.copy(sent, HEADER_BYTES, HEADER_BYTES, endOfQuestion(bytes))
  return sent
}

function endOfQuestion(bytes: Buffer): number {
  let at = HEADER_BYTES
  while (bytes[at]! > 0) at += bytes[at]! + 1
  return at + 5
}

/** The answer to another question, with the ID of this query. */
function foreignMessage({ query }: ReceivedQuery): Buffer {
  const name = 'somebody-else.example'
  return encodeMessage({
    id: query.id,
    flags: { response: true, recursionAvailable: true },
    questions: [{ name, type: 1, class: CLASS_IN }],
    answers: [{ name, ttl: 60, type: 'A', address: '203.0.113.99' }],
  })
}

/** Nearly fills a TCP message, which has at most 64 KiB. */
const padding = (): DnsRecord[] =>
  Array.from({ length: 230 }, () => ({ name: '', ttl: 0, type: 'TXT', chunks: [Buffer.alloc(255, 'x')] }))
