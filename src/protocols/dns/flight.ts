import type { Clock } from '../../kernel/clock.ts'
import type { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Random } from '../../kernel/random.ts'
import { decodeMessage } from './decode.ts'
import { type DnsMessage, type DnsRecord, type Flags, MalformedMessage, RCODES, type RecordType } from './message.ts'
import { type Asked, type Outcome, outcomeOf } from './outcome.ts'
import { encodeQuery, type Query } from './query.ts'
import type { ServerAddress } from './server-address.ts'
import type { ServerBook } from './server-book.ts'
import { askOverTcp } from './tcp.ts'
import type { Exchange, Udp, UdpListener } from './udp.ts'

export type Ask = {
  readonly name: string
  readonly type: RecordType
  /** Any of them will do; they are asked one after the other until one can tell. */
  readonly servers: readonly ServerAddress[]
  /** True for recursors; false for servers that should be responsible for the name themselves. */
  readonly recursion: boolean
  /** The zone these servers are responsible for: a referral to it or above is none. */
  readonly zone?: string | undefined
  /** Ask for signatures, and for DS records with a referral. */
  readonly dnssec?: boolean | undefined
  /** Keep to the order of the servers as long as they are well, instead of spreading the load. */
  readonly inOrder?: boolean | undefined
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

export type Attempt = {
  readonly server: string
  readonly tcp: boolean
  /** `silent` where nothing had come back when the question was over. */
  readonly result: Outcome | 'silent'
}

export type DnsReply = {
  readonly outcome: Outcome
  /** Null, as are the flags and the bytes, where nothing readable came back. */
  readonly rcode: number | null
  readonly flags: Flags | null
  readonly answers: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
  readonly wire: Uint8Array | null
  /** Whose words these are; null where nobody said anything. */
  readonly server: ServerAddress | null
  readonly tcp: boolean
  readonly elapsedMs: number
  readonly attempts: readonly Attempt[]
}

export type Shared = {
  readonly clock: Clock
  readonly random: Random
  readonly udp: Udp<Try>
  readonly tcp: ConcurrencyLimit
  readonly book: ServerBook
}

/** A question under way: plain data, since thousands of them come and go in a second. */
export type Flight = {
  readonly ask: Ask
  readonly asked: Asked
  readonly query: Query
  readonly startedAt: number
  readonly shared: Shared
  /** Called once, at the end, unless it was cancelled. */
  readonly done: (reply: DnsReply) => void
  readonly tries: Try[]
  /** Servers that may still tell, and those of them that were not asked in this round. */
  hopeful: readonly ServerAddress[]
  unasked: readonly ServerAddress[]
  round: number
  nextSendAt: number
  lastFailure: Told | null
  abort: AbortController | null
  over: boolean
}

export type Try = {
  readonly flight: Flight
  readonly server: ServerAddress
  readonly query: Query
  exchange: Exchange<Try> | null
  sentAt: number
  tcp: boolean
  result: Outcome | 'silent'
}

type Told = Pick<DnsReply, 'outcome' | 'server' | 'tcp' | 'wire'> & { readonly message: DnsMessage | null }

const RESEND_MS = 250
/** A connection, a question and an answer: three ways there and back. */
const TCP_PATIENCE_MS = 750
const MAX_SENDS = 10
const MAX_SENDS_PER_SERVER = 3

/** Throws a RangeError where the name is none. There must be a server to ask. */
export function createFlight(ask: Ask, startedAt: number, shared: Shared, done: (reply: DnsReply) => void): Flight {
  const { type, recursion, zone, dnssec = false, servers } = ask
  const lower = ask.name.toLowerCase()
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower
  return {
    ask,
    asked: { name, type, recursion, zone },
    query: encodeQuery({ name, type, recursion, dnssec, edns: true }),
    startedAt,
    shared,
    done,
    tries: [],
    hopeful: servers,
    unasked: servers,
    round: 1,
    nextSendAt: Infinity,
    lastFailure: null,
    abort: null,
    over: false,
  }
}

/** Sends the question: asks until a server can tell, none is left to ask, or the time is over. */
export const launch = (flight: Flight): void => sendNext(flight)

/** Looks at the time: sends again, or gives up. */
export function tick(flight: Flight, now: number): void {
  if (flight.over) return
  if (now - flight.startedAt >= flight.ask.deadlineMs) finish(flight, flight.lastFailure ?? untold('timeout'))
  else if (now >= flight.nextSendAt) sendNext(flight)
}

/** Ends it without a reply. */
export function cancel(flight: Flight): void {
  const { clock, udp, book } = flight.shared
  flight.over = true
  flight.abort?.abort()
  const now = clock.monotonic()
  for (const { exchange, server, result, tcp, sentAt } of flight.tries) {
    if (exchange) udp.release(exchange)
    if (result === 'silent' && !tcp && now - sentAt >= RESEND_MS) book.silent(server, now - sentAt)
  }
}

export const udpListener: UdpListener<Try> = {
  sent(one) {
    const { flight } = one
    const { clock, random } = flight.shared
    one.sentAt = clock.monotonic()
    flight.nextSendAt = one.sentAt + RESEND_MS * 2 ** (flight.round - 1) * (0.8 + 0.4 * random.fraction())
  },
  answered: (one, bytes) => received(one, bytes),
  failed(one) {
    one.flight.shared.book.unreachable(one.server)
    failed(one, untold('unreachable'))
  },
}

function sendNext(flight: Flight): void {
  if (flight.unasked.length === 0) {
    flight.round++
    flight.unasked = flight.hopeful
  }
  flight.nextSendAt = Infinity
  if (flight.round > MAX_SENDS_PER_SERVER || flight.tries.length >= MAX_SENDS) {
    // Nothing more to send. What was told so far is all there is; where nothing was, a late answer is still welcome.
    if (flight.lastFailure) finish(flight, flight.lastFailure)
    return
  }
  const server = flight.shared.book.choose(flight.unasked, flight.ask.inOrder ?? false)
  flight.unasked = flight.unasked.filter((one) => one !== server)
  sendTo(flight, server, flight.query)
}

function sendTo(flight: Flight, server: ServerAddress, query: Query): void {
  const one: Try = { flight, server, query, exchange: null, sentAt: Infinity, tcp: false, result: 'silent' }
  flight.tries.push(one)
  one.exchange = flight.shared.udp.send(server, query, one)
}

function received(one: Try, bytes: Buffer): void {
  const { flight, server, tcp } = one
  const { clock, book } = flight.shared
  stopWaiting(one)
  const isTruncated = (bytes[2]! & 0x02) !== 0
  if (!tcp) {
    book.answered(server, clock.monotonic() - one.sentAt)
    if (isTruncated) return askAgainOverTcp(one)
  }
  const message = isTruncated ? null : decoded(bytes)
  const outcome = message === null ? 'malformed' : outcomeOf(message, flight.asked)
  const told: Told = { outcome, message, server, tcp, wire: bytes }
  if (outcome === 'answer' || outcome === 'nodata' || outcome === 'nxdomain' || outcome === 'referral') {
    one.result = outcome
    return finish(flight, told)
  }
  if (one.query === flight.query && isEdnsTrouble(told)) {
    one.result = outcome
    const { name, type, recursion } = flight.asked
    return sendTo(flight, server, encodeQuery({ name, type, recursion, dnssec: false, edns: false }))
  }
  // A recursor that fails with one name is fine with others.
  if (!flight.ask.recursion || outcome !== 'servfail') book.useless(server)
  failed(one, told)
}

function failed(one: Try, told: Told): void {
  const { flight } = one
  if (flight.over) return
  stopWaiting(one)
  one.result = told.outcome
  // That a server could not be reached tells less than what another said.
  if (flight.lastFailure === null || told.message !== null) flight.lastFailure = told
  flight.hopeful = flight.hopeful.filter((server) => server !== one.server)
  flight.unasked = flight.unasked.filter((server) => server !== one.server)
  if (flight.hopeful.length === 0) finish(flight, flight.lastFailure)
  else if (flight.unasked.length > 0) sendNext(flight)
  else if (flight.nextSendAt === Infinity) flight.nextSendAt = flight.shared.clock.monotonic() + RESEND_MS
}

function askAgainOverTcp(one: Try): void {
  const { flight, server, query } = one
  const { clock, random, tcp } = flight.shared
  one.tcp = true
  flight.nextSendAt = clock.monotonic() + TCP_PATIENCE_MS
  flight.abort ??= new AbortController()
  const { signal } = flight.abort
  tcp
    .run(() => askOverTcp(server, query, random.below(0x10000), signal), signal)
    .then(
      (bytes) => flight.over || received(one, bytes),
      () => failed(one, { ...untold('truncated'), server, tcp: true }),
    )
}

function stopWaiting(one: Try): void {
  if (one.exchange) one.flight.shared.udp.release(one.exchange)
}

function finish(flight: Flight, { outcome, message, server, tcp, wire }: Told): void {
  cancel(flight)
  flight.done({
    outcome,
    rcode: message?.rcode ?? null,
    flags: message?.flags ?? null,
    answers: message?.answers ?? [],
    authority: message?.authority ?? [],
    additional: message?.additional ?? [],
    wire,
    server,
    tcp,
    elapsedMs: flight.shared.clock.monotonic() - flight.startedAt,
    attempts: flight.tries.map(({ server, tcp, result }) => ({ server: server.text, tcp, result })),
  })
}

const untold = (outcome: 'timeout' | 'unreachable' | 'truncated'): Told => ({
  outcome,
  message: null,
  server: null,
  tcp: false,
  wire: null,
})

function decoded(bytes: Buffer): DnsMessage | null {
  try {
    return decodeMessage(bytes)
  } catch (error) {
    if (error instanceof MalformedMessage) return null
    throw error
  }
}

/** Old servers stumble over EDNS0; the same question without it may do. */
const isEdnsTrouble = ({ outcome, message }: Told): boolean =>
  outcome === 'formerr' || outcome === 'notimp' || message?.rcode === RCODES.BADVERS
