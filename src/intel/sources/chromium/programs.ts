import type { Browser as Driven } from 'playwright-core'
import type { Clock } from '../../../kernel/clock.ts'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { sweepLeftovers } from './leftovers.ts'
import { type Program, startProgram } from './program.ts'

/** The browser somebody is working with; replaced by a fresh one once it has served long enough or has died. */
export type Programs = {
  /** Starts a browser unless one runs. Throws UpstreamError if there is no browser or it does not start. */
  ready(signal: AbortSignal): Promise<void>
  /** Throws UpstreamError where there is no browser. */
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
  readonly givesWay: boolean
  readonly recycleAfter: number
  readonly maxMegabytes: number
  readonly clock: Clock
  readonly log: Log
}

type Running = { readonly program: Promise<Program>; taken: number; active: number; over: boolean }

const MEMORY_CHECK_MS = 250
/** A browser that did not start is not tried again for this long: many may ask. */
const RESTART_MS = 10_000

export function createPrograms({ path, recycleAfter, maxMegabytes, clock, log, ...options }: Options): Programs {
  let current: Running | null = null
  let closed = false
  let swept = false
  let failure: { readonly error: UpstreamError; readonly until: number } | undefined
  /** Everything that may still have a process. */
  const alive = new Set<Running>()

  const retire = (running: Running) => {
    running.over = true
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
    const running: Running = { program: startProgram({ path, ...options }), taken: 0, active: 0, over: false }
    alive.add(running)
    if (!swept) void sweepLeftovers(clock).catch(() => {})
    swept = true
    running.program.then(
      ({ driven, kill }) =>
        driven.once('disconnected', () => {
          // What is left of a browser that died has nobody to tell it to go.
          kill()
          retire(running)
        }),
      (cause: unknown) => {
        log.error({ error: cause }, 'the browser does not start')
        const error = new UpstreamError('unavailable', 'the browser does not start', { cause })
        failure = { error, until: clock.monotonic() + RESTART_MS }
        retire(running)
      },
    )
    return running
  }

  const endIfTooLarge = async ({ program }: Running) => {
    const { privateMegabytes, kill } = await program
    const megabytes = Math.round(privateMegabytes())
    if (megabytes <= maxMegabytes) return
    log.warn({ megabytes }, 'the browser took too much memory and was ended')
    kill()
  }
  const watch = setInterval(() => {
    for (const running of alive) if (running.active > 0) void endIfTooLarge(running).catch(() => {})
  }, MEMORY_CHECK_MS).unref()

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
        if (running.over && running.active === 0) void end(running)
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
