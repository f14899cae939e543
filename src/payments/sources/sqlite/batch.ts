import type { DatabaseSync } from 'node:sqlite'
import { asUnavailable, runUnlocked } from './busy.ts'

/** Runs steps of concurrent requests in shared transactions: a commit costs more than most steps. */
export type Batch = {
  /**
   * Resolves when the step is committed. A step must leave nothing behind if it throws. What is committed outlives the
   * process; with `isOnDisk` this step, and everything committed before it, also outlives a power cut. With `mayWait` it
   * is committed with the next step that may not, or after MAX_WAIT_MS.
   */
  run<Result>(step: () => Result, options?: StepOptions): Promise<Result>
  /** Lets nothing wait any longer. */
  hurry(): void
  /** Runs at once what still waits. */
  flush(): void
}

type StepOptions = { readonly isOnDisk?: boolean; readonly mayWait?: boolean }

type Waiting = {
  readonly step: () => unknown
  readonly isOnDisk: boolean
  resolve(value: unknown): void
  reject(error: unknown): void
}
type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** The service is blocked for the duration of a transaction. */
const MAX_STEPS = 50
const MAX_WAIT_MS = 20

export function createBatch(db: DatabaseSync): Batch {
  let waiting: Waiting[] = []
  let isScheduled = false
  let timer: NodeJS.Timeout | undefined
  let syncs: boolean | undefined
  const begin = db.prepare('BEGIN IMMEDIATE')
  const end = db.prepare('COMMIT')

  /** Whether a commit waits for the disk. SQLite does not allow a change within a transaction. */
  const setSync = (wanted: boolean): void => {
    if (wanted === syncs) return
    db.exec(`PRAGMA synchronous = ${wanted ? 'FULL' : 'NORMAL'}`)
    syncs = wanted
  }

  const commit = (steps: readonly Waiting[]): readonly Outcome[] => {
    setSync(steps.some(({ isOnDisk }) => isOnDisk))
    begin.run()
    try {
      const outcomes = steps.map(({ step }): Outcome => {
        try {
          return { value: step() }
        } catch (error) {
          // SQLite undoes a failed statement by itself, unless it had to undo the whole transaction.
          if (!db.isTransaction) throw error
          return { error }
        }
      })
      end.run()
      return outcomes
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const settle = (steps: readonly Waiting[], outcomes: readonly Outcome[]): void => {
    for (const [at, { resolve, reject }] of steps.entries()) {
      const outcome = outcomes[at]!
      if ('error' in outcome) reject(asUnavailable(outcome.error))
      else resolve(outcome.value)
    }
  }

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const steps = waiting.slice(0, MAX_STEPS)
      waiting = waiting.slice(MAX_STEPS)
      try {
        settle(steps, await runUnlocked(() => commit(steps)))
      } catch (error) {
        for (const { reject } of steps) reject(error)
      }
    }
    isScheduled = false
  }

  /** Whatever arrives in this turn of the event loop shares the transaction. */
  const schedule = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => void work())
  }

  return {
    run<Result>(step: () => Result, { isOnDisk = false, mayWait = false }: StepOptions = {}) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ step, isOnDisk, resolve, reject })
        if (!mayWait) schedule()
        else if (!isScheduled) timer ??= setTimeout(schedule, MAX_WAIT_MS)
      })
    },
    hurry() {
      if (timer) schedule()
    },
    flush() {
      clearTimeout(timer)
      timer = undefined
      const steps = waiting
      waiting = []
      if (steps.length === 0) return
      try {
        settle(steps, commit(steps))
      } catch (error) {
        for (const { reject } of steps) reject(asUnavailable(error))
      }
    },
  }
}
