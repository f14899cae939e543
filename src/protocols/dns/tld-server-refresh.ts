import { isPublicAddress } from '../../kernel/addresses.ts'
import type { Clock } from '../../kernel/clock.ts'
import { nextTurn as yieldTurn, type NextTurn } from '../../kernel/event-loop.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { MAX_TIMER_MS, sleep } from '../../kernel/sleep.ts'
import { parseRootZone, pickServers } from './root-zone.ts'
import { bundledServers, formatNameserverFile, NameserverFile } from './tld-servers.ts'

/** Keeps the name servers of the TLDs up to date from the root zone. */
export type TldServerRefresh = {
  /** Downloads the root zone once. One that is invalid, older or implausible is rejected with a warning. */
  refresh(signal: AbortSignal): Promise<'replaced' | 'same' | 'rejected'>
  /** Uses the stored copy, if it is newer than the bundled one, then refreshes once a week. */
  start(): Promise<void>
  close(): void
}

type Options = {
  readonly tlds: readonly string[]
  /** The text of the root zone. */
  readonly load: (signal: AbortSignal) => Promise<string>
  readonly store: { read(): Promise<string | undefined>; write(content: string): Promise<void> }
  /** Called with servers that are newer than those in use. */
  readonly onServers: (file: NameserverFile) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly nextTurn?: NextTurn
  /** For tests with a small zone. */
  readonly minTlds?: number
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** Registries move one by one: if more of them have only new addresses, the file is not believed. */
const MAX_MOVED_SHARE = 0.2

export function createTldServerRefresh(options: Options): TldServerRefresh {
  const { tlds, load, store, onServers, clock, random, log, nextTurn = yieldTurn, minTlds } = options
  const wait = options.wait ?? ((ms, signal) => sleep(ms, signal, { keepsProcessAlive: false }))
  const closing = new AbortController()
  let current = bundledServers()

  const consider = (file: NameserverFile): 'replaced' | 'same' => {
    const problem = problemWith(file, current, clock.now())
    if (problem !== undefined) throw new Error(problem)
    if (file.rootZone === current.rootZone) return 'same'
    current = file
    onServers(file)
    return 'replaced'
  }

  const refresh = async (signal: AbortSignal): Promise<'replaced' | 'same' | 'rejected'> => {
    try {
      const file = pickServers(await parseRootZone(await load(signal), nextTurn), tlds, minTlds)
      const outcome = consider(file)
      if (outcome === 'replaced') {
        await store
          .write(formatNameserverFile(file))
          .catch((error: unknown) => log.warn({ error }, 'The name servers of TLDs could not be written to disk.'))
      }
      return outcome
    } catch (error) {
      if (!signal.aborted)
        log.warn({ error }, 'The name servers of TLDs were not refreshed; the last ones stay in use.')
      return 'rejected'
    }
  }

  const readStored = async (): Promise<void> => {
    try {
      const content = await store.read()
      const file = content === undefined ? undefined : NameserverFile.parse(JSON.parse(content))
      // The bundled file of a new version may be newer.
      if (file && file.rootZone > current.rootZone) consider(file)
    } catch (error) {
      log.warn({ error }, 'The name servers of TLDs on disk are not used.')
    }
  }

  const refreshForEver = async (signal: AbortSignal): Promise<void> => {
    // Not with the first requests of a new process, nor at the same time as other instances.
    const untilDueMs = publishedAt(current.rootZone) + WEEK_MS - clock.now()
    let pauseMs = Math.max(60_000 + random.fraction() * 240_000, untilDueMs)
    while (!signal.aborted) {
      await wait(Math.min(pauseMs, MAX_TIMER_MS), signal)
      const outcome = await refresh(signal)
      pauseMs = (outcome === 'rejected' ? DAY_MS : WEEK_MS) * (0.9 + 0.2 * random.fraction())
    }
  }

  return {
    refresh,
    async start() {
      await readStored()
      refreshForEver(closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ error }, 'The name servers of TLDs are no longer refreshed.')
      })
    },
    close: () => closing.abort(),
  }
}

/** The serial of the root zone is its date and a counter. */
const publishedAt = (serial: string): number =>
  Date.parse(serial.replace(/^(\d{4})(\d\d)(\d\d)\d\d$/, '$1-$2-$3T00:00:00Z')) || 0

/** Why a file must not replace the current one. */
function problemWith(file: NameserverFile, current: NameserverFile, now: number): string | undefined {
  if (file.rootZone < current.rootZone) return 'the root zone is older than the one in use'
  // Such a serial would keep out every later valid file.
  if (publishedAt(file.rootZone) > now + 2 * DAY_MS) return 'the root zone claims to be from the future'
  const listed = Object.entries(file.servers)
  const forbidden = listed.find(([, addresses]) => !addresses.every(isPublicAddress))
  if (forbidden) return `the root zone has an address of .${forbidden[0]} that is not public`
  const both = listed.filter(([tld]) => current.servers[tld] !== undefined)
  const moved = both.filter(([tld, addresses]) => !addresses.some((one) => current.servers[tld]!.includes(one)))
  return moved.length > both.length * MAX_MOVED_SHARE
    ? `${moved.length} of ${both.length} TLDs have only new addresses`
    : undefined
}
