import type { Clock } from '../../kernel/clock.ts'
import type { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { Random } from '../../kernel/random.ts'
import { decodeMessage } from './decode.ts'
import { type DnsMessage, MalformedMessage, RCODES } from './message.ts'
import { type QueryTarget, type DnsOutcome, classifyReply } from './outcome.ts'
import type { DnsReply, DnsRequest } from './query-types.ts'
import { encodeQuery, type EncodedQuery } from './query.ts'
import type { ServerAddress } from './server-address.ts'
import type { ServerHealth } from './server-health.ts'
import type { RefusalDetector } from './refusal-detector.ts'
import { queryOverTcp } from './tcp.ts'
import type { Exchange, UdpTransport, UdpListener } from './udp.ts'

export type SharedResources = {
  readonly clock: Clock
  readonly random: Random
  readonly udp: UdpTransport<Attempt>
  readonly tcp: ConcurrencyLimit
  readonly health: ServerHealth
  readonly refusals: Pick<RefusalDetector, 'isRefused'>
}

/** A query in flight with its retries. Plain data, because thousands are created per second. */
export type PendingQuery = {
  readonly request: DnsRequest
  readonly target: QueryTarget
  readonly query: EncodedQuery
  readonly startedAt: number
  readonly shared: SharedResources
  /** Called once when finished, unless cancelled. */
  readonly done: (reply: DnsReply) => void
  readonly attempts: Attempt[]
  /** Servers that have not failed, and the subset not yet tried in this round. */
  usableServers: readonly ServerAddress[]
  untriedServers: readonly ServerAddress[]
  round: number
  nextSendAt: number
  lastFailure: ServerReply | null
  abort: AbortController | null
  isFinished: boolean
}

export type Attempt = {
  readonly pending: PendingQuery
  readonly server: ServerAddress
  readonly query: EncodedQuery
  exchange: Exchange<Attempt> | null
  sentAt: number
  tcp: boolean
  /** Whether it was checked that something listens at the server. */
  isChecked: boolean
  result: DnsOutcome | 'silent'
}

type ServerReply = Pick<DnsReply, 'outcome' | 'server' | 'tcp' | 'wire'> & { readonly message: DnsMessage | null }

const RETRY_AFTER_MS = 250
/** Most servers have answered by then; one that has not may not be running. */
const CHECK_AFTER_MS = 50
/** Longer than for UDP: connecting, sending and receiving take three round trips. */
const TCP_RETRY_AFTER_MS = 750
const MAX_ATTEMPTS = 10
const MAX_ATTEMPTS_PER_SERVER = 3

/** Throws a RangeError if the name is invalid. `request.servers` must not be empty. */
export function createPendingQuery(
  request: DnsRequest,
  startedAt: number,
  shared: SharedResources,
  done: (reply: DnsReply) => void,
): PendingQuery {
  const { type, recursion, zone, dnssec = false, servers } = request
  const lower = request.name.toLowerCase()
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower
  return {
    request,
    target: { name, type, recursion, zone },
    query: encodeQuery({ name, type, recursion, dnssec, edns: true }),
    startedAt,
    shared,
    done,
    attempts: [],
    usableServers: servers,
    untriedServers: servers,
    round: 1,
    nextSendAt: Infinity,
    lastFailure: null,
    abort: null,
    isFinished: false,
  }
}

/** Starts the query. It runs until a server answers conclusively, every server has failed, or it times out. */
export const sendFirst = (pending: PendingQuery): void => sendNext(pending)

/** Retries or times out if it is time to. */
export function tick(pending: PendingQuery, now: number): void {
  if (pending.isFinished) return
  if (now - pending.startedAt >= pending.request.timeoutMs) finish(pending, pending.lastFailure ?? noReply('timeout'))
  else {
    for (const attempt of pending.attempts) if (isDueForCheck(attempt, now)) void checkIfRefused(attempt)
    if (now >= pending.nextSendAt) sendNext(pending)
  }
}

const isDueForCheck = ({ isChecked, result, tcp, sentAt }: Attempt, now: number): boolean =>
  !isChecked && !tcp && result === 'silent' && now - sentAt >= CHECK_AFTER_MS

/** A server that is not running fails at once, instead of after the timeout. */
async function checkIfRefused(attempt: Attempt): Promise<void> {
  const { pending, server } = attempt
  attempt.isChecked = true
  const isRefused = await pending.shared.refusals.isRefused(server)
  if (!isRefused || attempt.result !== 'silent' || attempt.tcp || pending.isFinished) return
  pending.shared.health.recordFailure(server)
  failed(attempt, noReply('unreachable'))
}

/** Stops the query without calling `done`. */
export function cancel(pending: PendingQuery): void {
  const { clock, udp, health } = pending.shared
  pending.isFinished = true
  pending.abort?.abort()
  const now = clock.monotonic()
  for (const { exchange, server, result, tcp, sentAt } of pending.attempts) {
    if (exchange) udp.release(exchange)
    if (result === 'silent' && !tcp && now - sentAt >= RETRY_AFTER_MS) health.recordTimeout(server, now - sentAt)
  }
}

export const udpListener: UdpListener<Attempt> = {
  sent(attempt) {
    const { pending } = attempt
    const { clock, random } = pending.shared
    attempt.sentAt = clock.monotonic()
    pending.nextSendAt = attempt.sentAt + RETRY_AFTER_MS * 2 ** (pending.round - 1) * (0.8 + 0.4 * random.fraction())
  },
  answered: (attempt, bytes) => received(attempt, bytes),
  failed(attempt) {
    attempt.pending.shared.health.recordUnreachable(attempt.server)
    failed(attempt, noReply('unreachable'))
  },
}

function sendNext(pending: PendingQuery): void {
  if (pending.untriedServers.length === 0) {
    pending.round++
    pending.untriedServers = pending.usableServers
  }
  pending.nextSendAt = Infinity
  if (pending.round > MAX_ATTEMPTS_PER_SERVER || pending.attempts.length >= MAX_ATTEMPTS) {
    // No attempts left: finish with the last failure. Without one, keep waiting for a late answer.
    if (pending.lastFailure) finish(pending, pending.lastFailure)
    return
  }
  const server = pending.shared.health.choose(pending.untriedServers, pending.request.inOrder ?? false)
  pending.untriedServers = pending.untriedServers.filter((other) => other !== server)
  sendTo(pending, server, pending.query)
}

function sendTo(pending: PendingQuery, server: ServerAddress, query: EncodedQuery): void {
  const attempt: Attempt = {
    pending,
    server,
    query,
    exchange: null,
    sentAt: Infinity,
    tcp: false,
    isChecked: false,
    result: 'silent',
  }
  pending.attempts.push(attempt)
  attempt.exchange = pending.shared.udp.send(server, query, attempt)
}

function received(attempt: Attempt, bytes: Buffer): void {
  const { pending, server, tcp } = attempt
  const { clock, health } = pending.shared
  stopWaiting(attempt)
  const isTruncated = (bytes[2]! & 0x02) !== 0
  if (!tcp) {
    health.recordAnswer(server, clock.monotonic() - attempt.sentAt)
    if (isTruncated) return retryOverTcp(attempt)
  }
  const message = isTruncated ? null : decoded(bytes)
  const outcome = message === null ? 'malformed' : classifyReply(message, pending.target)
  const reply: ServerReply = { outcome, message, server, tcp, wire: bytes }
  if (outcome === 'answer' || outcome === 'nodata' || outcome === 'nxdomain' || outcome === 'referral') {
    attempt.result = outcome
    return finish(pending, reply)
  }
  if (attempt.query === pending.query && isEdnsTrouble(reply)) {
    attempt.result = outcome
    const { name, type, recursion } = pending.target
    return sendTo(pending, server, encodeQuery({ name, type, recursion, dnssec: false, edns: false }))
  }
  // SERVFAIL from a recursor is about this name, not about the recursor.
  if (!pending.request.recursion || outcome !== 'servfail') health.recordFailure(server)
  failed(attempt, reply)
}

function failed(attempt: Attempt, reply: ServerReply): void {
  const { pending } = attempt
  if (pending.isFinished) return
  stopWaiting(attempt)
  attempt.result = reply.outcome
  // A reply from a server says more than a failure to reach one.
  if (pending.lastFailure === null || reply.message !== null) pending.lastFailure = reply
  pending.usableServers = pending.usableServers.filter((server) => server !== attempt.server)
  pending.untriedServers = pending.untriedServers.filter((server) => server !== attempt.server)
  if (pending.usableServers.length === 0) finish(pending, pending.lastFailure)
  else if (pending.untriedServers.length > 0) sendNext(pending)
  else if (pending.nextSendAt === Infinity) pending.nextSendAt = pending.shared.clock.monotonic() + RETRY_AFTER_MS
}

function retryOverTcp(attempt: Attempt): void {
  const { pending, server, query } = attempt
  const { clock, random, tcp } = pending.shared
  attempt.tcp = true
  pending.nextSendAt = clock.monotonic() + TCP_RETRY_AFTER_MS
  pending.abort ??= new AbortController()
  const { signal } = pending.abort
  tcp
    .run(() => queryOverTcp(server, query, random.below(0x10000), signal), signal)
    .then(
      (bytes) => pending.isFinished || received(attempt, bytes),
      () => failed(attempt, { ...noReply('truncated'), server, tcp: true }),
    )
}

function stopWaiting(attempt: Attempt): void {
  if (attempt.exchange) attempt.pending.shared.udp.release(attempt.exchange)
}

function finish(pending: PendingQuery, { outcome, message, server, tcp, wire }: ServerReply): void {
  cancel(pending)
  pending.done({
    outcome,
    rcode: message?.rcode ?? null,
    flags: message?.flags ?? null,
    answers: message?.answers ?? [],
    authority: message?.authority ?? [],
    additional: message?.additional ?? [],
    wire,
    server,
    tcp,
    elapsedMs: pending.shared.clock.monotonic() - pending.startedAt,
    attempts: pending.attempts.map(({ server, tcp, result }) => ({ server: server.text, tcp, result })),
  })
}

const noReply = (outcome: 'timeout' | 'unreachable' | 'truncated'): ServerReply => ({
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

/** Old servers reject EDNS0; retry without it. */
const isEdnsTrouble = ({ outcome, message }: ServerReply): boolean =>
  outcome === 'formerr' || outcome === 'notimp' || message?.rcode === RCODES.BADVERS
