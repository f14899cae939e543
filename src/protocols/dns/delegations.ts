import { type Clock, timestamp } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { DnsClient } from './client.ts'
import { askRecursor, askZone, type Delegation, type DelegationQuestion } from './delegation.ts'
import { createHonesty } from './honesty.ts'
import type { ServerAddress } from './server-address.ts'

export type Delegations = {
  /**
   * Asks the servers of the zone, and recursors where those cannot be reached. Never throws for what the network does;
   * throws the signal's reason when aborted.
   */
  find(question: DelegationQuestion): Promise<Delegation>
}

type Needs = {
  readonly client: DnsClient
  readonly clock: Clock
  readonly random: Random
  /** Asked when the zone's own servers do not answer; may be none. */
  readonly recursors: readonly ServerAddress[]
}

/** The zone's servers get so much of the time before the recursors have their turn. */
const SHARE_OF_ZONE = 0.6
/**
 * Where so many questions in a row, to several zones, met silence, port 53 is most likely closed to us: for a while the
 * recursors go first.
 */
const SILENCES_OF_A_CLOSED_PORT = 5
const ZONES_OF_A_CLOSED_PORT = 2
const CLOSED_FOR_MS = 30_000
/** Who gives up earlier has not met silence. */
const MIN_SILENCE_MS = 300

export function createDelegations(needs: Needs): Delegations {
  const { clock, recursors } = needs
  const honesty = createHonesty(needs)
  const silent = { questions: 0, zones: new Set<string>() }
  let closedUntil = 0

  const note = (delegation: Delegation, zone: string): void => {
    if (!isSilence(delegation)) {
      silent.questions = 0
      silent.zones.clear()
      return
    }
    silent.questions++
    if (silent.zones.size < ZONES_OF_A_CLOSED_PORT) silent.zones.add(zone)
    if (silent.questions < SILENCES_OF_A_CLOSED_PORT || silent.zones.size < ZONES_OF_A_CLOSED_PORT) return
    closedUntil = clock.monotonic() + CLOSED_FOR_MS
  }

  const throughRecursors = async (question: DelegationQuestion, startedAt: number): Promise<Delegation> => {
    const left = () => question.deadlineMs - (clock.monotonic() - startedAt)
    const { delegation, server } = await askRecursor(needs, { ...question, servers: recursors, deadlineMs: left() })
    if (delegation.kind !== 'delegated' || server === null) return delegation
    const word = await honesty.of(server, question.zone, left(), question.signal)
    if (word === 'honest') return delegation
    return { kind: 'unclear', why: word === 'lying' ? 'lying_recursor' : word, evidence: delegation.evidence }
  }

  return {
    async find(question) {
      const startedAt = clock.monotonic()
      const isClosed = startedAt < closedUntil
      const mayAskZone =
        question.servers.length > 0 && (recursors.length === 0 || !isClosed || question.insist === true)
      if (!mayAskZone && recursors.length === 0) return nobodyToAsk(question, clock)
      if (!mayAskZone) return throughRecursors(question, startedAt)
      const deadlineMs = question.deadlineMs * (recursors.length > 0 ? SHARE_OF_ZONE : 1)
      const delegation = await askZone(needs, { ...question, deadlineMs })
      note(delegation, question.zone)
      if (delegation.kind !== 'unclear' || delegation.why === 'overloaded' || recursors.length === 0) return delegation
      const second = await throughRecursors(question, startedAt)
      return second.kind === 'unclear' ? delegation : second
    },
  }
}

const isSilence = (delegation: Delegation): boolean =>
  delegation.kind === 'unclear' &&
  (delegation.why === 'unreachable' ||
    (delegation.why === 'timeout' && delegation.evidence.elapsedMs >= MIN_SILENCE_MS))

const nobodyToAsk = ({ domain }: DelegationQuestion, clock: Clock): Delegation => ({
  kind: 'unclear',
  why: 'no_servers',
  evidence: { server: '', question: `${domain} NS`, rcode: null, hash: null, at: timestamp(clock), elapsedMs: 0 },
})
