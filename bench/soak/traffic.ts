import { Agent } from 'node:http'
import { seededRandom } from '../../src/kernel/random.ts'
import { ask } from '../mix/drive.ts'
import { type Part, PARTS } from '../mix/parts.ts'
import { judge } from './answers.ts'
import type { Party } from './parties.ts'

export type Traffic = {
  /** Tells which party is closed from now on; null when it is open again. */
  setClosed(party: Party | null): void
  readonly counts: Readonly<Counts>
  /** Resolves when the last answers have arrived. */
  stop(): Promise<void>
}

type Counts = {
  requests: number
  /** Could not be answered, while something they need was closed or had just been opened. */
  excused: number
  /** Could not be answered although everything they need was open. */
  failed: number
  wrong: number
  /** Not sent, because too many were still open. */
  skipped: number
  /** The first answers that should not have been. */
  readonly examples: string[]
}

type Plan = { readonly url: string; readonly rate: number; readonly graceMs: number }

const SEED = 20_261_117
const TICK_MS = 50
const MAX_OPEN = 1_000
/** Of one address, which may have 256. */
const MAX_CONNECTIONS = 128
const MAX_EXAMPLES = 5

/** Sends the mix at a fixed rate, whether or not earlier requests have been answered. */
export function startTraffic({ url, rate, graceMs }: Plan): Traffic {
  const random = seededRandom(SEED)
  const deck = PARTS.flatMap((part) => Array.from({ length: part.share }, () => part))
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS })
  const sent = new Map<Part, number>()
  const open = new Set<Promise<void>>()
  const counts: Counts = { requests: 0, excused: 0, failed: 0, wrong: 0, skipped: 0, examples: [] }
  const openedAt = new Map<Party, number>()
  let closed: Party | null = null
  const isExcused = ({ needs }: Part, sentAt: number) =>
    needs.some((party) => party === closed || sentAt - (openedAt.get(party) ?? -Infinity) < graceMs)

  async function send(part: Part): Promise<void> {
    const at = sent.get(part) ?? 0
    sent.set(part, at + 1)
    const sentAt = performance.now()
    const excusedWhenSent = isExcused(part, sentAt)
    const answer = await ask(url, part.request(at), { agent, index: 0 }).catch((error: unknown) => ({
      status: 0,
      body: String(error),
    }))
    counts.requests += 1
    const judgement = judge(part, answer)
    if (judgement === 'right') return
    if (judgement === 'failed' && (excusedWhenSent || isExcused(part, sentAt))) {
      counts.excused += 1
      return
    }
    counts[judgement] += 1
    if (counts.examples.length < MAX_EXAMPLES) {
      counts.examples.push(`${part.name}: ${answer.status} ${answer.body.slice(0, 200)}`)
    }
  }

  const started = performance.now()
  let planned = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - started) / 1000) * rate)
    for (; planned < due; planned++) {
      if (open.size >= MAX_OPEN) {
        counts.skipped += 1
        continue
      }
      const sending: Promise<void> = send(deck[random.below(deck.length)]!).finally(() => open.delete(sending))
      open.add(sending)
    }
  }, TICK_MS)
  return {
    setClosed(party) {
      if (closed !== null) openedAt.set(closed, performance.now())
      closed = party
    },
    counts,
    async stop() {
      clearInterval(timer)
      await Promise.all(open)
      agent.destroy()
    },
  }
}

/** Different names until caches are full, so that memory does not grow for that reason later. */
export async function fillCaches(url: string, { domains, records }: { domains: number; records: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const LIST_LENGTH = 1_000
  for (let first = 0; first < domains; first += LIST_LENGTH) {
    const list = Array.from({ length: LIST_LENGTH }, (_, at) => `taken-fill-${first + at}.com`)
    await ask(url, { path: '/v1/check/bulk', body: JSON.stringify({ domains: list }) }, { agent, index: 1 })
  }
  await Promise.all(
    Array.from({ length: records }, (_, at) =>
      ask(url, { path: `/v1/dns/taken-fill-${at}.com?type=A` }, { agent, index: 1 }),
    ),
  )
  agent.destroy()
}
