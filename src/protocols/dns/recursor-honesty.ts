import type { Clock } from '../../kernel/clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { DnsClient, DnsReply } from './client.ts'
import type { ServerAddress } from './server-address.ts'

/**
 * Finds recursors whose answers say nothing about the internet: a captive portal, or a provider that leads unknown names
 * to a search page, has an address for every name; a resolver that knows only the names of a company has none for any.
 */
export type RecursorHonesty = {
  /** Whether a reply of these recursors is one that they would also give for any other name. */
  check(recursors: readonly ServerAddress[], timeoutMs: number): Promise<(reply: DnsReply) => boolean>
}

type Needs = { readonly client: Pick<DnsClient, 'query'>; readonly clock: Clock; readonly random: Random }

const TTL_MS = 10 * 60_000
/** Without an honest answer: somebody may be logging in to the network now. */
const RETRY_MS = 10_000
const LABEL_LENGTH = 24
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Everybody who knows the internet knows it. */
const ZONE = 'com'

type Finding = {
  /** Addresses given for a name that does not exist. */
  readonly invented: ReadonlySet<string>
  /** Whether a name that exists was said not to. */
  readonly deniesNames: boolean
}
type Known = { readonly finding: Promise<Finding>; expiresAt: number }

export function createRecursorHonesty({ client, clock, random }: Needs): RecursorHonesty {
  const known = new Map<string, Known>()

  const probe = async (servers: readonly ServerAddress[], timeoutMs: number, entry: Known): Promise<Finding> => {
    const how = { servers, recursion: true, inOrder: true, timeoutMs }
    const [invention, zone] = await Promise.all([
      client.query({ ...how, name: `${randomLabel(random)}.${ZONE}`, type: 'A' }),
      client.query({ ...how, name: ZONE, type: 'NS' }),
    ])
    const deniesNames = zone.outcome === 'nxdomain' || zone.outcome === 'nodata'
    const isHonest = invention.outcome === 'nxdomain' && zone.outcome === 'answer'
    if (!isHonest) entry.expiresAt = clock.monotonic() + RETRY_MS
    return { invented: new Set(addressesIn(invention)), deniesNames }
  }

  const load = (servers: readonly ServerAddress[], timeoutMs: number): Promise<Finding> => {
    const key = servers.map(({ text }) => text).join(' ')
    const found = known.get(key)
    if (found && clock.monotonic() < found.expiresAt) return found.finding
    const { promise, resolve, reject } = Promise.withResolvers<Finding>()
    const entry = { finding: promise, expiresAt: clock.monotonic() + TTL_MS }
    known.set(key, entry)
    probe(servers, timeoutMs, entry).then(resolve, (error: unknown) => {
      known.delete(key)
      reject(error)
    })
    return promise
  }

  return {
    async check(recursors, timeoutMs) {
      const { invented, deniesNames } = await load(recursors, timeoutMs)
      return (reply) => {
        if (reply.outcome === 'nxdomain' || reply.outcome === 'nodata') return deniesNames
        const addresses = addressesIn(reply)
        return addresses.length > 0 && addresses.every((address) => invented.has(address))
      }
    },
  }
}

/** A label that nobody has registered. */
export const randomLabel = (random: Random): string =>
  Array.from({ length: LABEL_LENGTH }, () => LETTERS[random.below(LETTERS.length)]).join('')

const addressesIn = ({ answers }: DnsReply): string[] =>
  answers.flatMap((record) => (record.type === 'A' ? [record.address] : []))

/** Believes every recursor. */
export const trustRecursors: RecursorHonesty = { check: async () => () => false }
