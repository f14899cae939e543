import type { Clock } from '../../kernel/clock.ts'
import type { ConcurrencyLimit } from '../../kernel/concurrency-limit.ts'
import type { FastRandom } from './buffered-random.ts'
import { decodeMessage } from './decode.ts'
import { type DnsMessage, MalformedMessage, RCODES } from './message.ts'
import { type QueryTarget, type DnsOutcome, classifyReply } from './outcome.ts'
import type { DnsReply, DnsRequest } from './query-types.ts'
import { encodeQuery, type EncodedQuery } from './query.ts'
import type { ServerAddress } from './server-address.ts'
import type { ServerGroup } from './server-groups.ts'
import type { ServerHealth } from './server-health.ts'
import type { RefusalDetector } from './refusal-detector.ts'
import { queryOverTcp } from './tcp.ts'
import type { Exchange, UdpTransport, UdpListener } from './udp.ts'

export type SharedResources = {
  readonly clock: Clock
  readonly random: FastRandom
  readonly udp: UdpTransport<Attempt>
  readonly tcp: ConcurrencyLimit
  readonly health: ServerHealth
  readonly refusals: Pick<RefusalDetector, 'isRefused'>
  /** Called once for each query when it is finished, unless cancelled. */
  readonly done: (pending: PendingQuery, reply: DnsReply) => void
  /** Cancels the query and rejects it. */
  readonly abandon: (pending: PendingQuery, reason: unknown) => void
}

/**
 * A query with its retries. One flat object, because thousands are created per second; it is also the target that
 * replies are classified by.
 */
export type PendingQuery = QueryTarget & {
  readonly request: DnsRequest
  readonly query: EncodedQuery
  readonly startedAt: number
  readonly shared: SharedResources
  readonly caller: Caller
  readonly attempts: Attempt[]
  /** Servers that have not failed, and the subset not yet tried in this round. */
  usableServers: readonly ServerAddress[]
  untriedServers: readonly ServerAddress[]
  round: number
  nextSendAt: number
  lastFailure: ServerReply | null
  abort: AbortController | null
  isFinished: boolean
  /** Index among the queries in flight; -1 while queued or finished. */
  index: number
}

/** Who waits for the reply. */
export type Caller = {
  readonly group: ServerGroup
  readonly resolve: (reply: DnsReply) => void
  readonly reject: (reason: unknown) => void
  /** Listens to the request's signal. */
  onAbort: (() => void) | null
}

export interface Attempt extends Exchange<Attempt> {
  readonly pending: PendingQuery
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
  caller: Caller,
): PendingQuery {
  const { type, recursion, zone, dnssec = false, servers } = request
  const lower = request.name.toLowerCase()
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower
  return {
    request,
    name,
    type,
    recursion,
    zone,
    query: encodeQuery({ name, type, recursion, dnssec, edns: true }),
    startedAt,
    shared,
    caller,
    attempts: [],
    usableServers: servers,
    untriedServers: servers,
    round: 1,
    nextSendAt: Infinity,
    lastFailure: null,
    abort: null,
    isFinished: false,
    index: -1,
  }
}

/** Starts the query. It runs until a server answers conclusively, every server has failed, or it times out. */
export const sendFirst = (pending: PendingQuery, now: number): void => sendNext(pending, now)

/** Retries or times out if it is time to. */
export function tick(pending: PendingQuery, now: number): void {
  if (pending.isFinished) return
  if (now - pending.startedAt >= pending.request.timeoutMs)
    finish(pending, pending.lastFailure ?? noReply('timeout'), now)
  else {
    for (const attempt of pending.attempts) if (isDueForCheck(attempt, now)) void checkIfRefused(attempt)
    if (now >= pending.nextSendAt) sendNext(pending, now)
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
export function cancel(pending: PendingQuery, now: number): void {
  const { udp, health } = pending.shared
  pending.isFinished = true
  pending.abort?.abort()
  for (const attempt of pending.attempts) {
    const { server, result, tcp, sentAt } = attempt
    udp.release(attempt)
    if (result === 'silent' && !tcp && now - sentAt >= RETRY_AFTER_MS) health.recordTimeout(server, now - sentAt)
  }
}

export const udpListener: UdpListener<Attempt> = {
  sent(attempt, now) {
    const { pending } = attempt
    const { random } = pending.shared
    attempt.sentAt = now
    pending.nextSendAt = now + RETRY_AFTER_MS * 2 ** (pending.round - 1) * (0.8 + 0.4 * random.fraction())
  },
  answered: (attempt, bytes, now) => received(attempt, bytes, now),
  failed(attempt) {
    attempt.pending.shared.health.recordUnreachable(attempt.server)
    failed(attempt, noReply('unreachable'))
  },
}

function sendNext(pending: PendingQuery, now: number): void {
  if (pending.untriedServers.length === 0) {
    pending.round++
    pending.untriedServers = pending.usableServers
  }
  pending.nextSendAt = Infinity
  if (pending.round > MAX_ATTEMPTS_PER_SERVER || pending.attempts.length >= MAX_ATTEMPTS) {
    // No attempts left: finish with the last failure. Without one, keep waiting for a late answer.
    if (pending.lastFailure) finish(pending, pending.lastFailure, now)
    return
  }
  const server = pending.shared.health.choose(pending.untriedServers, pending.request.inOrder ?? false)
  pending.untriedServers = without(pending.untriedServers, server)
  sendTo(pending, server, pending.query, now)
}

const NO_SERVERS: readonly ServerAddress[] = []

const without = (servers: readonly ServerAddress[], server: ServerAddress): readonly ServerAddress[] =>
  servers.length === 1 && servers[0] === server ? NO_SERVERS : servers.filter((other) => other !== server)

function sendTo(pending: PendingQuery, server: ServerAddress, query: EncodedQuery, now: number): void {
  const attempt: Attempt = {
    pending,
    server,
    query,
    port: null,
    id: 0,
    next: null,
    sentAt: Infinity,
    tcp: false,
    isChecked: false,
    result: 'silent',
  }
  pending.attempts.push(attempt)
  pending.shared.udp.send(attempt, now)
}

function received(attempt: Attempt, bytes: Buffer, now: number): void {
  const { pending, server, tcp } = attempt
  const { health, udp } = pending.shared
  udp.release(attempt)
  const isTruncated = (bytes[2]! & 0x02) !== 0
  if (!tcp) {
    health.recordAnswer(server, now - attempt.sentAt)
    if (isTruncated) return retryOverTcp(attempt, now)
  }
  const message = isTruncated ? null : decoded(bytes)
  const outcome = message === null ? 'malformed' : classifyReply(message, pending)
  const reply: ServerReply = { outcome, message, server, tcp, wire: bytes }
  if (outcome === 'answer' || outcome === 'nodata' || outcome === 'nxdomain' || outcome === 'referral') {
    attempt.result = outcome
    return finish(pending, reply, now)
  }
  if (attempt.query === pending.query && isEdnsTrouble(reply)) {
    attempt.result = outcome
    const { name, type, recursion } = pending
    return sendTo(pending, server, encodeQuery({ name, type, recursion, dnssec: false, edns: false }), now)
  }
  // SERVFAIL from a recursor is about this name, not about the recursor.
  if (!pending.request.recursion || outcome !== 'servfail') health.recordFailure(server)
  failed(attempt, reply)
}

function failed(attempt: Attempt, reply: ServerReply): void {
  const { pending } = attempt
  if (pending.isFinished) return
  const now = pending.shared.clock.monotonic()
  pending.shared.udp.release(attempt)
  attempt.result = reply.outcome
  // A reply from a server says more than a failure to reach one.
  if (pending.lastFailure === null || reply.message !== null) pending.lastFailure = reply
  pending.usableServers = without(pending.usableServers, attempt.server)
  pending.untriedServers = without(pending.untriedServers, attempt.server)
  if (pending.usableServers.length === 0) finish(pending, pending.lastFailure, now)
  else if (pending.untriedServers.length > 0) sendNext(pending, now)
  else if (pending.nextSendAt === Infinity) pending.nextSendAt = now + RETRY_AFTER_MS
}

function retryOverTcp(attempt: Attempt, now: number): void {
  const { pending, server, query } = attempt
  const { clock, random, tcp } = pending.shared
  attempt.tcp = true
  pending.nextSendAt = now + TCP_RETRY_AFTER_MS
  pending.abort ??= new AbortController()
  const { signal } = pending.abort
  tcp
    .run(() => queryOverTcp(server, query, random.below(0x10000), signal), signal)
    .then(
      (bytes) => pending.isFinished || received(attempt, bytes, clock.monotonic()),
      () => failed(attempt, { ...noReply('truncated'), server, tcp: true }),
    )
}

function finish(pending: PendingQuery, { outcome, message, server, tcp, wire }: ServerReply, now: number): void {
  cancel(pending, now)
  pending.shared.done(pending, {
    outcome,
    rcode: message?.rcode ?? null,
    flags: message?.flags ?? null,
    answers: message?.answers ?? [],
    authority: message?.authority ?? [],
    additional: message?.additional ?? [],
    wire,
    server,
    tcp,
    elapsedMs: now - pending.startedAt,
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
