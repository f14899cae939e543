import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { sleep } from '../../kernel/sleep.ts'
import { isHostName } from './server.ts'

/** The WHOIS hosts of TLDs as IANA's own WHOIS server names them. They move every few years. */
export type WhoisHosts = {
  /** The host learnt from IANA; undefined if the bundled one applies. */
  hostOf(tld: string): string | undefined
  /**
   * Called when the host of a TLD is asked. If IANA was last asked more than a week ago, it is asked in the background.
   * Does nothing before `start`: a single command ends too soon for it.
   */
  used(tld: string): void
  /** The host of a TLD failed: asks IANA now. The new host, or undefined if there is no other. Never rejects. */
  refresh(tld: string, failed: string): Promise<string | undefined>
  /** Loads what an earlier process learnt. */
  start(): Promise<void>
  close(): void
}

type Options = {
  /** The answer of IANA's WHOIS server about a TLD. */
  readonly ask: (tld: string, signal: AbortSignal) => Promise<string>
  /** Whether the host has an address that may be connected to. */
  readonly isReachable: (host: string, signal: AbortSignal) => Promise<boolean>
  readonly bundledHostOf: (tld: string) => string | undefined
  readonly store?: { read(): Promise<string | undefined>; write(content: string): Promise<void> }
  readonly clock: Clock
  readonly log: Log
  /** Resolves after the time, rejects when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

type Entry = { readonly host: string | null; readonly askedAt: number }

export const TTL_MS = 7 * 86_400_000
/** A host that keeps failing does not lead to a query each time. */
export const MIN_RETRY_MS = 3_600_000
/** Between two queries to IANA. */
export const GAP_MS = 1_000
const MAX_QUEUE = 100

export function createWhoisHosts(options: Options): WhoisHosts {
  const { ask, isReachable, bundledHostOf, store, clock, log } = options
  const wait = options.wait ?? ((ms, signal) => sleep(ms, signal, { keepsProcessAlive: false }))
  const closing = new AbortController()
  const { signal } = closing
  const entries = new Map<string, Entry>()
  const underWay = new Map<string, Promise<void>>()
  const queue: { readonly tld: string; readonly done: () => void }[] = []
  let isWorking = false
  let isStarted = false
  let loading: Promise<void> | undefined
  let lastAskedAt = -Infinity

  /** What is learnt is remembered also if it is nothing, so that IANA is not asked again for a while. */
  const learn = async (tld: string): Promise<void> => {
    const before = entries.get(tld)?.host ?? null
    let host = before
    try {
      const named = parseIanaAnswer(await ask(tld, signal), tld)
      // An answer without a host is no reason to give up the one we know.
      if (named !== undefined && named !== before) {
        if (await isReachable(named, signal)) host = named
        else log.warn({ tld, host: named }, 'IANA names a WHOIS host that has no public address; it is not used.')
      }
    } catch (error) {
      if (signal.aborted) return
      log.warn({ error, tld }, 'IANA was asked for the WHOIS host of a TLD and gave no usable answer.')
    }
    if (host !== before && host !== (before ?? bundledHostOf(tld))) log.info({ tld, host }, 'A WHOIS host has moved.')
    entries.set(tld, { host, askedAt: clock.now() })
    await save()
  }

  const load = async (): Promise<void> => {
    try {
      const content = await store?.read()
      for (const [tld, entry] of content === undefined ? [] : parseEntries(content, clock.now()))
        entries.set(tld, entry)
    } catch (error) {
      log.warn({ error }, 'The WHOIS hosts on disk are not used.')
    }
  }

  const save = async (): Promise<void> => {
    try {
      await store?.write(formatEntries(entries))
    } catch (error) {
      log.warn({ error }, 'The WHOIS hosts learnt from IANA could not be written to disk.')
    }
  }

  /** One query at a time, with a pause between them. */
  const work = async (): Promise<void> => {
    isWorking = true
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const pauseMs = lastAskedAt + GAP_MS - clock.monotonic()
        if (pauseMs > 0) await wait(pauseMs, signal)
        lastAskedAt = clock.monotonic()
        await learn(next.tld)
        next.done()
      }
    } catch (error) {
      if (!signal.aborted) log.error({ error }, 'WHOIS hosts are not refreshed.')
    } finally {
      isWorking = false
      for (const { done } of queue.splice(0)) done()
    }
  }

  /** Concurrent requests for one TLD share one query. Skipped when the queue is full: the next use asks again. */
  const enqueue = (tld: string, isUrgent: boolean): Promise<void> => {
    const known = underWay.get(tld)
    if (known) return known
    if (queue.length >= MAX_QUEUE || signal.aborted) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const job = { tld, done: resolve }
    if (isUrgent) queue.unshift(job)
    else queue.push(job)
    const asked = promise.finally(() => underWay.delete(tld))
    underWay.set(tld, asked)
    if (!isWorking) void work()
    return asked
  }

  const ageMs = (tld: string): number => clock.now() - (entries.get(tld)?.askedAt ?? -Infinity)

  return {
    hostOf: (tld) => entries.get(tld)?.host ?? undefined,
    used(tld) {
      if (isStarted && ageMs(tld) >= TTL_MS) void enqueue(tld, false)
    },
    async refresh(tld, failed) {
      await (loading ??= load())
      if (ageMs(tld) >= MIN_RETRY_MS) await enqueue(tld, true)
      const host = entries.get(tld)?.host ?? undefined
      return host === failed ? undefined : host
    },
    async start() {
      await (loading ??= load())
      isStarted = true
    },
    close: () => closing.abort(),
  }
}

/** Host names that are never a registry's: they mean this machine, this network, or nothing. */
const LOCAL = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|test|example|invalid|onion|arpa)$/
const MAX_LINES = 500

/**
 * The host in the line `whois:` of IANA's answer, or else in `refer:`. Undefined without such a line, or if it has no host name.
 * Throws if the answer is not about this TLD.
 */
export function parseIanaAnswer(text: string, tld: string): string | undefined {
  const lines = text.split('\n', MAX_LINES).map((line) => /^([a-z]+):\s*(\S+)\s*$/i.exec(line.trim()))
  const valueOf = (key: string) => lines.find((line) => line?.[1]!.toLowerCase() === key)?.[2]!.toLowerCase()
  if (valueOf('domain')?.replace(/\.$/, '') !== tld) throw new Error(`the answer is not about .${tld}`)
  const host = (valueOf('whois') ?? valueOf('refer'))?.replace(/\.$/, '')
  return host !== undefined && isHostName(host) && !LOCAL.test(host) ? host : undefined
}

const formatEntries = (entries: ReadonlyMap<string, Entry>): string =>
  `${JSON.stringify(Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 1)}\n`

/** Invalid entries are skipped: the file may be from another version, or edited. */
function* parseEntries(content: string, now: number): Iterable<[string, Entry]> {
  const file: unknown = JSON.parse(content)
  if (typeof file !== 'object' || file === null) throw new Error('the file is not a JSON object')
  for (const [tld, value] of Object.entries(file)) {
    const { host, askedAt } = (value ?? {}) as Record<string, unknown>
    const isHost = host === null || (typeof host === 'string' && isHostName(host) && !LOCAL.test(host))
    // A time in the future would keep the entry for ever.
    if (isHost && typeof askedAt === 'number' && askedAt <= now && /^[a-z0-9.-]{2,63}$/.test(tld))
      yield [tld, { host, askedAt }]
  }
}
