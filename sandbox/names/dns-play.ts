import { type DraftMessage, encodeMessage } from '../../src/protocols/dns/encode.ts'
import { CLASS_IN, type DnsMessage, type DnsRecord, RCODES } from '../../src/protocols/dns/message.ts'
import type { Outcome } from '../outcome.ts'

/** What a name server does with one query. */
export type Play = {
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

type Stage = {
  readonly query: DnsMessage
  readonly bytes: Buffer
  readonly isTcp: boolean
}

const HEADER_BYTES = 12
/** The limit without EDNS0, and the largest datagram that no network fragments. */
const MIN_UDP_BYTES = 512
const MAX_UDP_BYTES = 1232

/** Plays an outcome on one query. Outcomes that need a connection are answered with the TC bit over UDP. */
export function playDns(outcome: Outcome, draft: DraftMessage, stage: Stage): Play {
  const { isTcp } = stage
  const whole = messageFor(draft, stage)
  const send = (message: Buffer, delayMs = 0): Play => ({ delayMs, action: { kind: 'send', message } })
  const comeByTcp = () => send(messageFor({ flags: { ...draft.flags, truncated: true } }, stage))
  const onConnection = (action: Play['action']): Play => (isTcp ? { delayMs: 0, action } : comeByTcp())
  switch (outcome.kind) {
    case 'ok':
      return send(whole)
    case 'slow':
      return send(whole, outcome.ms)
    case 'hang':
      return { delayMs: 0, action: { kind: 'silence' } }
    case 'denied':
      return send(messageFor({ rcode: RCODES.REFUSED }, stage))
    case 'broken':
      return send(messageFor({ rcode: RCODES.SERVFAIL }, stage))
    case 'down':
      // Without the question section, as overloaded servers answer.
      return send(encodeMessage({ id: stage.query.id, rcode: RCODES.SERVFAIL, flags: { response: true } }))
    case 'foreign':
      return send(foreignMessage(stage))
    case 'half':
      return send(whole.subarray(0, Math.floor(whole.length / 2)))
    case 'redirect':
      return send(messageFor({ authority: [{ name: '', ttl: 86_400, type: 'NS', host: 'a.root.example' }] }, stage))
    case 'throttled':
      return isTcp ? send(whole) : comeByTcp()
    case 'drip':
      return onConnection({ kind: 'drip', message: whole, ms: outcome.ms })
    case 'cut':
      return onConnection({ kind: 'cut', message: whole })
    case 'reset':
      return onConnection({ kind: 'reset' })
    case 'huge':
      return onConnection({ kind: 'send', message: messageFor({ ...draft, additional: padding() }, stage) })
  }
}

/** The encoded answer; truncated, with the TC bit, if it does not fit a datagram. */
export function messageFor(draft: DraftMessage, { query, bytes, isTcp }: Stage): Buffer {
  const edns = query.edns === null ? null : { udpSize: MAX_UDP_BYTES, dnssecOk: query.edns.dnssecOk }
  const flags = { ...draft.flags, response: true, recursionDesired: query.flags.recursionDesired }
  const head = { id: query.id, questions: query.questions, edns }
  const message = encodeMessage({ ...draft, ...head, flags })
  const room = isTcp ? 0xffff : Math.max(MIN_UDP_BYTES, Math.min(query.edns?.udpSize ?? MIN_UDP_BYTES, MAX_UDP_BYTES))
  const sent = message.length <= room ? message : encodeMessage({ ...head, flags: { ...flags, truncated: true } })
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
function foreignMessage({ query }: Stage): Buffer {
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
