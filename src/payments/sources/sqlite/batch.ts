import type { DatabaseSync } from 'node:sqlite'
import { runUnlocked } from './busy.ts'

/** Runs steps of concurrent requests in shared transactions: a commit costs more than most steps. */
export type Batch = {
  /** Resolves when the step is committed. A step must leave nothing behind if it throws. */
  run<Result>(step: () => Result): Promise<Result>
  /** Runs at once what still waits. */
  flush(): void
}

type Waiting = { readonly step: () => unknown; resolve(value: unknown): void; reject(error: unknown): void }
type Outcome = { readonly value: unknown } | { readonly error: unknown }

/** The service is blocked for the duration of a transaction. */
const MAX_STEPS = 50

export function createBatch(db: DatabaseSync): Batch {
  let waiting: Waiting[] = []
  let isScheduled = false

  const commit = (steps: readonly Waiting[]): readonly Outcome[] => {
    db.exec('BEGIN IMMEDIATE')
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
      db.exec('COMMIT')
      return outcomes
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }

  const end = (steps: readonly Waiting[], outcomes: readonly Outcome[]): void => {
    for (const [at, { resolve, reject }] of steps.entries()) {
      const outcome = outcomes[at]!
      if ('error' in outcome) reject(outcome.error)
      else resolve(outcome.value)
    }
  }

  const work = async (): Promise<void> => {
    while (waiting.length > 0) {
      const steps = waiting.slice(0, MAX_STEPS)
      waiting = waiting.slice(MAX_STEPS)
      try {
        end(steps, await runUnlocked(() => commit(steps)))
      } catch (error) {
        for (const { reject } of steps) reject(error)
      }
    }
    isScheduled = false
  }

  return {
    run<Result>(step: () => Result) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ step, resolve, reject })
        if (isScheduled) return
        isScheduled = true
        // Whatever arrives in this turn of the event loop shares the transaction.
        setImmediate(() => void work())
      })
    },
    flush() {
      const steps = waiting
      waiting = []
      if (steps.length === 0) return
      try {
        end(steps, commit(steps))
      } catch (error) {
        for (const { reject } of steps) reject(error)
      }
    },
  }
}
