import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import { sleep } from '../../kernel/sleep.ts'
import { baseUrl, parseBootstrap, type BootstrapFile } from './bootstrap-file.ts'

/** Knows which RDAP server answers for a TLD, and keeps itself up to date. */
export type Bootstrap = {
  /** Undefined if no server is known. Never guessed: a 404 of a wrong server would mean "available". */
  baseFor(tld: string): string | undefined
  /** Downloads the file once. A file that is invalid or older than the current one is rejected with a warning. */
  refresh(signal?: AbortSignal): Promise<'replaced' | 'same' | 'rejected'>
  /** Uses the stored copy, if it is valid, then refreshes once a day. */
  start(): Promise<void>
  close(): void
}

type Options = {
  /** The bundled servers. Without them the first file loaded is accepted. */
  readonly bundled?: { readonly publication: number; readonly servers: ReadonlyMap<string, string> }
  /** Servers of TLDs that IANA does not list; IANA's entry takes precedence. */
  readonly overrides?: ReadonlyMap<string, string>
  readonly load: (signal: AbortSignal | undefined) => Promise<string>
  /** Stores the last valid copy. */
  readonly store?: { read(): Promise<string | undefined>; write(content: string): Promise<void> }
  /** Whether plain HTTP is allowed (in the sandbox). Bundled servers may always use it. */
  readonly insecure?: boolean
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Resolves after the time, rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A file with fewer of the known TLDs is truncated or another file. */
const MIN_KEPT_SHARE = 0.9

export function createBootstrap(options: Options): Bootstrap {
  const { bundled, overrides = new Map(), load, store, insecure = false, clock, random, log } = options
  const wait = options.wait ?? ((ms, signal) => sleep(ms, signal, { keepsProcessAlive: false }))
  const closing = new AbortController()
  let current: BootstrapFile | undefined = bundled && {
    publication: bundled.publication,
    bases: new Map([...bundled.servers].map(([tld, server]) => [tld, [baseUrl(server, true) ?? server]])),
  }

  const consider = (content: string): 'replaced' | 'same' => {
    const file = parseBootstrap(content, { insecure })
    const problem = problemWith(file, current, clock.now())
    if (problem !== undefined) throw new Error(problem)
    const isNew = file.publication !== current?.publication || file.bases.size !== current.bases.size
    current = file
    return isNew ? 'replaced' : 'same'
  }

  const storeCopy = async (content: string): Promise<void> => {
    try {
      await store?.write(content)
    } catch (error) {
      log.warn({ error }, 'The RDAP bootstrap file could not be written to disk.')
    }
  }

  const refresh = async (signal?: AbortSignal): Promise<'replaced' | 'same' | 'rejected'> => {
    try {
      const content = await load(signal)
      const outcome = consider(content)
      if (outcome === 'replaced') await storeCopy(content)
      return outcome
    } catch (error) {
      if (!signal?.aborted)
        log.warn({ error }, 'The RDAP bootstrap file was not refreshed; the last valid copy stays in use.')
      return 'rejected'
    }
  }

  const readStored = async (): Promise<void> => {
    try {
      const content = await store?.read()
      if (content !== undefined) consider(content)
    } catch (error) {
      log.warn({ error }, 'The RDAP bootstrap file on disk is not used.')
    }
  }

  const refreshForEver = async (signal: AbortSignal): Promise<void> => {
    // After a random delay: not with the first requests of a new process, nor at the same time as other instances.
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

/** Why a file must not replace the current one. */
function problemWith(file: BootstrapFile, current: BootstrapFile | undefined, now: number): string | undefined {
  if (file.bases.size === 0) return 'it lists no server'
  // Such a date would keep out every later valid file.
  if (file.publication > now + 2 * DAY_MS) return 'it claims to be from the future'
  if (!current) return undefined
  if (file.publication < current.publication) return 'it is older than the current one'
  const kept = current.bases
    .keys()
    .filter((tld) => file.bases.has(tld))
    .toArray().length
  if (kept < MIN_KEPT_SHARE * current.bases.size) return `it has only ${kept} of the ${current.bases.size} TLDs we know`
  return undefined
}
