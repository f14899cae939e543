import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { sleep } from '../../kernel/sleep.ts'
import { baseUrl, readBootstrap, type BootstrapFile } from './bootstrap-file.ts'

/** Knows which RDAP server answers for a TLD, and keeps itself up to date. */
export type Bootstrap = {
  /** Undefined where no server is known: nothing is ever guessed, a stranger's 404 would read as "available". */
  baseFor(tld: string): string | undefined
  /** Loads the file once. What is no better than what we have is thrown away, with a warning. */
  refresh(signal?: AbortSignal): Promise<'replaced' | 'same' | 'rejected'>
  /** Takes the copy kept on disk, if it is good, then goes on refreshing once a day. */
  start(): Promise<void>
  close(): void
}

type Options = {
  /** What comes with the project. Without it the first file loaded is believed. */
  readonly bundled?: { readonly publication: number; readonly servers: ReadonlyMap<string, string> }
  /** Servers of TLDs that IANA does not list; where it does, its word counts. */
  readonly overrides?: ReadonlyMap<string, string>
  readonly load: (signal: AbortSignal | undefined) => Promise<string>
  /** Where the last good copy is kept. */
  readonly store?: { read(): Promise<string | undefined>; write(content: string): Promise<void> }
  /** Whether plain HTTP will do: in a sandbox. What is bundled was chosen with care and may have it. */
  readonly insecure?: boolean
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Resolves after the time, rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A file that has lost more TLDs than this is cut off, or somebody else's. */
const MIN_KEPT = 0.9

export function createBootstrap(options: Options): Bootstrap {
  const { bundled, overrides = new Map(), load, store, insecure = false, clock, random, log } = options
  const wait = options.wait ?? ((ms, signal) => sleep(ms, signal, { keepsProcessAlive: false }))
  const closing = new AbortController()
  let current: BootstrapFile | undefined = bundled && {
    publication: bundled.publication,
    bases: new Map([...bundled.servers].map(([tld, server]) => [tld, [baseUrl(server, true) ?? server]])),
  }

  const consider = (content: string): 'replaced' | 'same' => {
    const file = readBootstrap(content, { insecure })
    const problem = problemWith(file, current, clock.now())
    if (problem !== undefined) throw new Error(problem)
    const isNew = file.publication !== current?.publication || file.bases.size !== current.bases.size
    current = file
    return isNew ? 'replaced' : 'same'
  }

  const keep = async (content: string): Promise<void> => {
    try {
      await store?.write(content)
    } catch (error) {
      log.warn({ error }, 'The RDAP bootstrap file could not be kept on disk.')
    }
  }

  const refresh = async (signal?: AbortSignal): Promise<'replaced' | 'same' | 'rejected'> => {
    try {
      const content = await load(signal)
      const outcome = consider(content)
      if (outcome === 'replaced') await keep(content)
      return outcome
    } catch (error) {
      if (!signal?.aborted) log.warn({ error }, 'The RDAP bootstrap file was not refreshed; the last good copy stays.')
      return 'rejected'
    }
  }

  const readStored = async (): Promise<void> => {
    try {
      const content = await store?.read()
      if (content !== undefined) consider(content)
    } catch (error) {
      log.warn({ error }, 'The RDAP bootstrap file kept on disk is not used.')
    }
  }

  const refreshForEver = async (signal: AbortSignal): Promise<void> => {
    // Not with the first request of a process that has just started, nor together with all others.
    let pauseMs = 10_000 + random.fraction() * 50_000
    while (!signal.aborted) {
      await wait(pauseMs, signal)
      const outcome = await refresh(signal)
      pauseMs = (outcome === 'rejected' ? HOUR_MS : DAY_MS) * (0.9 + 0.2 * random.fraction())
    }
  }

  return {
    baseFor: (tld) => current?.bases.get(tld)?.[0] ?? overrides.get(tld),
    refresh,
    async start() {
      await readStored()
      refreshForEver(closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) log.error({ error }, 'The RDAP bootstrap file is no longer refreshed.')
      })
    },
    close() {
      closing.abort()
    },
  }
}

/** Why a file must not take the place of the one we have. */
function problemWith(file: BootstrapFile, current: BootstrapFile | undefined, now: number): string | undefined {
  if (file.bases.size === 0) return 'it lists no server'
  // Such a date would keep out every true one after it.
  if (file.publication > now + 2 * DAY_MS) return 'it claims to be from the future'
  if (!current) return undefined
  if (file.publication < current.publication) return 'it is older than ours'
  const kept = current.bases
    .keys()
    .filter((tld) => file.bases.has(tld))
    .toArray().length
  if (kept < MIN_KEPT * current.bases.size) return `it has only ${kept} of the ${current.bases.size} TLDs we know`
  return undefined
}
