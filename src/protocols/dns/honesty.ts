import type { Clock } from '../../kernel/clock.ts'
import { withDeadline } from '../../kernel/deadline.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Random } from '../../kernel/random.ts'
import type { DnsClient, DnsReply } from './client.ts'
import type { Outcome } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

/** What a recursor does with a name that cannot exist; an outcome where it did not say. */
export type Word = 'honest' | 'lying' | Exclude<Outcome, 'nxdomain' | 'nodata' | 'answer'>

/** Which recursors invent answers: some send every unknown name to a search page, name servers included. */
export type Honesty = {
  /** Whether what the recursor says of names below the zone may be believed. */
  of(server: ServerAddress, zone: string, deadlineMs: number, signal?: AbortSignal): Promise<Word>
  readonly size: number
}

type Needs = { readonly client: DnsClient; readonly clock: Clock; readonly random: Random }
type Known = { readonly word: Promise<Word>; readonly until: number }

const REMEMBERED_MS = 10 * 60_000
/** A few recursors times all TLDs. */
const MAX_REMEMBERED = 4096
const PROBE_MS = 3000
const LABEL_LENGTH = 24
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export function createHonesty({ client, clock, random }: Needs): Honesty {
  const known = new Map<string, Known>()

  const probe = async (server: ServerAddress, zone: string): Promise<Word> => {
    const label = Array.from({ length: LABEL_LENGTH }, () => LETTERS[random.below(LETTERS.length)]).join('')
    const question = { name: `${label}.${zone}`, type: 'NS', servers: [server], recursion: true } as const
    return wordOf(await client.ask({ ...question, deadlineMs: PROBE_MS }))
  }

  const remember = (key: string, word: Promise<Word>): Promise<Word> => {
    if (known.size >= MAX_REMEMBERED) for (const [oldest] of known) if (known.delete(oldest)) break
    const entry = { word, until: clock.monotonic() + REMEMBERED_MS }
    known.set(key, entry)
    const forget = () => void (known.get(key) === entry && known.delete(key))
    word.then((said) => said === 'honest' || said === 'lying' || forget(), forget)
    return word
  }

  return {
    async of(server, zone, deadlineMs, signal) {
      const key = `${server.text} ${zone}`
      const remembered = known.get(key)
      if (remembered && clock.monotonic() >= remembered.until) known.delete(key)
      try {
        // Everybody who asks meanwhile waits for the same probe: whoever leaves, leaves alone.
        return await withDeadline(
          { who: server.text, ms: Math.max(0, deadlineMs), signal },
          () => known.get(key)?.word ?? remember(key, probe(server, zone)),
        )
      } catch (error) {
        if (error instanceof UpstreamError && error.failure === 'timeout') return 'timeout'
        throw error
      }
    },
    get size() {
      return known.size
    },
  }
}

function wordOf({ outcome, answers }: DnsReply): Word {
  if (outcome === 'answer' || answers.length > 0) return 'lying'
  // No such name; or, where the zone has a wildcard of another type, no name servers at it.
  if (outcome === 'nxdomain' || outcome === 'nodata') return 'honest'
  return outcome
}
