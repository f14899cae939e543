import type { LookupAddress } from 'node:dns'
import { UpstreamError } from '../../kernel/errors.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { ResolveHost } from '../../kernel/upstream/host-addresses.ts'
import type { DnsClient, DnsReply } from './client.ts'
import { recordsFor } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

type Needs = {
  readonly client: Pick<DnsClient, 'query'>
  readonly recursors: readonly ServerAddress[]
  readonly timeoutMs?: number
  /** Whether this machine can reach IPv6 addresses only: they are waited for, and come first. */
  readonly isIPv6Only?: () => boolean
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** If the IPv4 addresses are there, those of IPv6 are waited for this long (RFC 8305). */
const RESOLUTION_DELAY_MS = 50
const DEFAULT_TIMEOUT_MS = 2_000

/** Resolves host names through recursors: A and AAAA at once. Throws if the recursors do not answer. */
export function createHostResolver({
  client,
  recursors,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  isIPv6Only = () => false,
  wait = (ms, signal) => sleep(ms, signal, { keepsProcessAlive: false }),
}: Needs): ResolveHost {
  const ask = (name: string, type: 'A' | 'AAAA', signal?: AbortSignal): Promise<DnsReply> =>
    client.query({ name, type, servers: recursors, recursion: true, inOrder: true, timeoutMs, signal })

  return async (hostname) => {
    const done = new AbortController()
    const ipv6 = ask(hostname, 'AAAA', done.signal).catch(() => null)
    try {
      const ipv4 = await ask(hostname, 'A')
      const needsIPv6 = isIPv6Only()
      const late =
        ipv4.outcome === 'answer' && !needsIPv6 ? wait(RESOLUTION_DELAY_MS, done.signal).then(() => null) : ipv6
      const replies = [ipv4, await Promise.race([ipv6, late])].filter((reply) => reply !== null)
      // IPv4 first: many hosts of services have no route for IPv6, and find out only by a timeout.
      const found = replies.flatMap((reply) => addressesIn(reply, hostname))
      const addresses = needsIPv6 ? found.toReversed() : found
      if (addresses.length > 0) return { addresses, ttlMs: ttlOf(replies) }
      if (replies.every(({ outcome }) => ANSWERS.has(outcome)) && replies.length === 2) return null
      throw new UpstreamError('unavailable', `no resolver has answered for ${hostname}: ${ipv4.outcome}`, {
        unreachable: true,
      })
    } finally {
      done.abort()
    }
  }
}

const ANSWERS: ReadonlySet<DnsReply['outcome']> = new Set(['answer', 'nodata', 'nxdomain'] as const)

const addressesIn = ({ answers }: DnsReply, hostname: string): LookupAddress[] => [
  ...recordsFor(answers, hostname, 'A').map(({ address }) => ({ address, family: 4 })),
  ...recordsFor(answers, hostname, 'AAAA').map(({ address }) => ({ address, family: 6 })),
]

/** The shortest TTL of all records, aliases included. */
const ttlOf = (replies: readonly DnsReply[]): number =>
  Math.min(...replies.flatMap(({ answers }) => answers.map(({ ttl }) => ttl))) * 1000
