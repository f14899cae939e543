import type { Browser as Driven } from 'playwright-core'
import type { Clock } from '../../../kernel/clock.ts'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { sweepLeftovers } from './leftovers.ts'
import { type Program, startProgram } from './program.ts'

/** Holds the running browser, and replaces it after a number of captures or a crash. */
export type Programs = {
  /** Starts a browser unless one runs. Throws UpstreamError if there is no browser or it does not start. */
  ready(signal: AbortSignal): Promise<void>
  /** Throws UpstreamError if there is no browser. */
  take(signal: AbortSignal): Promise<Lease>
  close(): Promise<void>
}

export type Lease = {
  readonly driven: Driven
  kill(): void
  giveBack(): void
}

type Options = {
  readonly path: string | null
  readonly proxyUrl: string
  readonly sandbox: boolean
  readonly lowPriority: boolean
  readonly env: Readonly<Record<string, string>>
  readonly recycleAfter: number
  readonly maxMegabytes: number
  readonly clock: Clock
  readonly log: Log
}

type Running = { readonly program: Promise<Program>; taken: number; active: number; retired: boolean }

const MEMORY_CHECK_INTERVAL_MS = 250
/** Minimum time between a failed start and the next attempt. */
const RESTART_BACKOFF_MS = 10_000

export function createPrograms({ path, recycleAfter, maxMegabytes, clock, log, ...options }: Options): Programs {
  let current: Running | null = null
  let closed = false
  let swept = false
  let failure: { readonly error: UpstreamError; readonly until: number } | undefined
  /** Browsers that may still have processes. */
  const alive = new Set<Running>()

  const retire = (running: Running) => {
    running.retired = true
    if (current === running) current = null
    if (running.active === 0) void end(running)
  }
  const end = async (running: Running) => {
    await running.program.then((program) => program.end()).catch(() => {})
    alive.delete(running)
  }
  const start = (): Running => {
    if (path === null) throw new UpstreamError('not_configured', 'there is no browser on this machine')
    if (failure && clock.monotonic() < failure.until) throw failure.error
    const running: Running = { program: startProgram({ path, ...options }), taken: 0, active: 0, retired: false }
    alive.add(running)
    if (!swept) void sweepLeftovers(clock).catch(() => {})
    swept = true
    running.program.then(
      ({ driven, kill }) =>
        driven.once('disconnected', () => {
          // Child processes of a crashed browser would keep running.
          kill()
          retire(running)
        }),
      (cause: unknown) => {
        log.error({ error: cause }, 'The browser does not start.')
        const error = new UpstreamError('unavailable', 'the browser does not start', { cause })
        failure = { error, until: clock.monotonic() + RESTART_BACKOFF_MS }
        retire(running)
      },
    )
    return running
  }

  const killIfTooLarge = async ({ program }: Running) => {
    const { privateMegabytes, kill } = await program
    const megabytes = Math.round(privateMegabytes())
    if (megabytes <= maxMegabytes) return
    log.warn({ megabytes }, 'The browser used too much memory and was killed.')
    kill()
  }
  const watch = setInterval(() => {
    for (const running of alive) if (running.active > 0) void killIfTooLarge(running).catch(() => {})
  }, MEMORY_CHECK_INTERVAL_MS).unref()

  const mustBeOpen = () => {
    if (closed) throw new UpstreamError('unavailable', 'the browser is closing')
  }

  return {
    async ready(signal) {
      mustBeOpen()
      const { program } = (current ??= start())
      await unlessAborted(program, signal).catch((cause: unknown) => {
        signal.throwIfAborted()
        throw new UpstreamError('unavailable', 'the browser does not start', { cause })
      })
    },
    async take(signal) {
      mustBeOpen()
      const running = (current ??= start())
      running.taken += 1
      running.active += 1
      if (running.taken >= recycleAfter) retire(running)
      const giveBack = () => {
        running.active -= 1
        if (running.retired && running.active === 0) void end(running)
      }
      try {
        const { driven, kill } = await unlessAborted(running.program, signal)
        return { driven, kill, giveBack }
      } catch (error) {
        giveBack()
        throw error
      }
    },
    async close() {
      closed = true
      clearInterval(watch)
      await Promise.all([...alive].map(end))
    },
  }
}
